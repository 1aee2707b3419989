/*
 * Every function of libpq that the PostgreSQL driver and the store use, under its own
 * name. The library is loaded when the first PostgreSQL database is opened, and costs
 * nobody else a start.
 */
#ifndef DGM_BASE_LIBPQ_H
#define DGM_BASE_LIBPQ_H

#include <libpq-fe.h>
#include <stdbool.h>

#include "base/err.h"

#define LIBPQ_FUNCTIONS(F)                                                               \
    F(PQcancel)                                                                          \
    F(PQclear)                                                                           \
    F(PQcmdTuples)                                                                       \
    F(PQconnectPoll)                                                                     \
    F(PQconnectStartParams)                                                              \
    F(PQconnectdbParams)                                                                 \
    F(PQconninfoFree)                                                                    \
    F(PQconninfoParse)                                                                   \
    F(PQconsumeInput)                                                                    \
    F(PQenterPipelineMode)                                                               \
    F(PQerrorMessage)                                                                    \
    F(PQescapeLiteral)                                                                   \
    F(PQexec)                                                                            \
    F(PQexecParams)                                                                      \
    F(PQexecPrepared)                                                                    \
    F(PQexitPipelineMode)                                                                \
    F(PQfinish)                                                                          \
    F(PQflush)                                                                           \
    F(PQfmod)                                                                            \
    F(PQfname)                                                                           \
    F(PQfreeCancel)                                                                      \
    F(PQfreemem)                                                                         \
    F(PQftype)                                                                           \
    F(PQgetCancel)                                                                       \
    F(PQgetResult)                                                                       \
    F(PQgetisnull)                                                                       \
    F(PQgetlength)                                                                       \
    F(PQgetvalue)                                                                        \
    F(PQisBusy)                                                                          \
    F(PQnfields)                                                                         \
    F(PQnotifies)                                                                        \
    F(PQntuples)                                                                         \
    F(PQpipelineStatus)                                                                  \
    F(PQpipelineSync)                                                                    \
    F(PQprepare)                                                                         \
    F(PQresultErrorField)                                                                \
    F(PQresultStatus)                                                                    \
    F(PQsendDescribePrepared)                                                            \
    F(PQsendFlushRequest)                                                                \
    F(PQsendPrepare)                                                                     \
    F(PQsendQuery)                                                                       \
    F(PQsendQueryParams)                                                                 \
    F(PQsendQueryPrepared)                                                               \
    F(PQserverVersion)                                                                   \
    F(PQsetErrorVerbosity)                                                               \
    F(PQsetNoticeReceiver)                                                               \
    F(PQsetSingleRowMode)                                                                \
    F(PQsetnonblocking)                                                                  \
    F(PQsocket)                                                                          \
    F(PQsslInUse)                                                                        \
    F(PQstatus)                                                                          \
    F(PQtransactionStatus)

struct libpq {
#define F(name) __typeof__(&name) name##_; /* NOLINT: a member's name */
    LIBPQ_FUNCTIONS(F)
#undef F
};

/* Filled once libpq_load() has returned true; nothing else is called before. */
extern struct libpq libpq;
/* `code` is the error of a machine without the library. */
bool libpq_load(enum err_code code, struct err *err);
/* The loaded library; NULL before. */
void *libpq_handle(void);

/* From here on the functions are those of the table, under their own names. */
#define PQcancel               (libpq.PQcancel_)
#define PQclear                (libpq.PQclear_)
#define PQcmdTuples            (libpq.PQcmdTuples_)
#define PQconnectPoll          (libpq.PQconnectPoll_)
#define PQconnectStartParams   (libpq.PQconnectStartParams_)
#define PQconnectdbParams      (libpq.PQconnectdbParams_)
#define PQconninfoFree         (libpq.PQconninfoFree_)
#define PQconninfoParse        (libpq.PQconninfoParse_)
#define PQconsumeInput         (libpq.PQconsumeInput_)
#define PQenterPipelineMode    (libpq.PQenterPipelineMode_)
#define PQerrorMessage         (libpq.PQerrorMessage_)
#define PQescapeLiteral        (libpq.PQescapeLiteral_)
#define PQexec                 (libpq.PQexec_)
#define PQexecParams           (libpq.PQexecParams_)
#define PQexecPrepared         (libpq.PQexecPrepared_)
#define PQexitPipelineMode     (libpq.PQexitPipelineMode_)
#define PQfinish               (libpq.PQfinish_)
#define PQflush                (libpq.PQflush_)
#define PQfmod                 (libpq.PQfmod_)
#define PQfname                (libpq.PQfname_)
#define PQfreeCancel           (libpq.PQfreeCancel_)
#define PQfreemem              (libpq.PQfreemem_)
#define PQftype                (libpq.PQftype_)
#define PQgetCancel            (libpq.PQgetCancel_)
#define PQgetResult            (libpq.PQgetResult_)
#define PQgetisnull            (libpq.PQgetisnull_)
#define PQgetlength            (libpq.PQgetlength_)
#define PQgetvalue             (libpq.PQgetvalue_)
#define PQisBusy               (libpq.PQisBusy_)
#define PQnfields              (libpq.PQnfields_)
#define PQnotifies             (libpq.PQnotifies_)
#define PQntuples              (libpq.PQntuples_)
#define PQpipelineStatus       (libpq.PQpipelineStatus_)
#define PQpipelineSync         (libpq.PQpipelineSync_)
#define PQprepare              (libpq.PQprepare_)
#define PQresultErrorField     (libpq.PQresultErrorField_)
#define PQresultStatus         (libpq.PQresultStatus_)
#define PQsendDescribePrepared (libpq.PQsendDescribePrepared_)
#define PQsendFlushRequest     (libpq.PQsendFlushRequest_)
#define PQsendPrepare          (libpq.PQsendPrepare_)
#define PQsendQuery            (libpq.PQsendQuery_)
#define PQsendQueryParams      (libpq.PQsendQueryParams_)
#define PQsendQueryPrepared    (libpq.PQsendQueryPrepared_)
#define PQserverVersion        (libpq.PQserverVersion_)
#define PQsetErrorVerbosity    (libpq.PQsetErrorVerbosity_)
#define PQsetNoticeReceiver    (libpq.PQsetNoticeReceiver_)
#define PQsetSingleRowMode     (libpq.PQsetSingleRowMode_)
#define PQsetnonblocking       (libpq.PQsetnonblocking_)
#define PQsocket               (libpq.PQsocket_)
#define PQsslInUse             (libpq.PQsslInUse_)
#define PQstatus               (libpq.PQstatus_)
#define PQtransactionStatus    (libpq.PQtransactionStatus_)

#endif
