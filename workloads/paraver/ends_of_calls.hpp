// Traces that a simulator wrote give other times of messages than Extrae does (docs/reference/paraver.md).
#pragma once
#include "workloads/paraver/call_table.hpp"
#include "workloads/paraver/thread_trace.hpp"

namespace busline::paraver {

/// Changes the times of the thread's messages to those that Extrae records: a send at the begin of its call;
/// a receive from the begin of a blocking call, or from the end of a non-blocking one, to the end of the call
/// that completes it. Such a trace only has the send's time inside its call and the end of the receive, so a
/// request that a wait completes is the thread's oldest one that is not complete.
void move_to_calls(ThreadTrace& thread, const CallTable& calls);

}  // namespace busline::paraver
