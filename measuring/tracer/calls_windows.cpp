// One-sided communication.
#include "measuring/tracer/define.hpp"

BUSLINE_TRACED(Win_create, _, size, dispunit, info, comm, win)
BUSLINE_TRACED(Win_free, win !)
BUSLINE_TRACED(Win_get_group, win, group)
BUSLINE_TRACED(Put, _, origincount, origintype, targetrank, targetdisp, targetcount, targettype, win)
BUSLINE_TRACED(Get, _, origincount, origintype, targetrank, targetdisp, targetcount, targettype, win)
BUSLINE_TRACED(Accumulate, _, origincount, origintype, targetrank, targetdisp, targetcount, targettype, op,
               win)
BUSLINE_TRACED(Win_fence, assertion, win)
BUSLINE_TRACED(Win_lock, locktype, winrank, assertion, win)
BUSLINE_TRACED(Win_unlock, winrank, win)
BUSLINE_TRACED(Win_post, group, assertion, win)
BUSLINE_TRACED(Win_start, group, assertion, win)
BUSLINE_TRACED(Win_complete, win)
BUSLINE_TRACED(Win_wait, win)
BUSLINE_TRACED(Win_test, win, flag)
