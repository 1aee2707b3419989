/*
 * Every function of libpq that is used. The library brings two dozen others with it, so
 * it is loaded when the first PostgreSQL database is opened, and costs nobody else a
 * start.
 */
#ifndef DGM_DATASOURCE_POSTGRES_LIBRARY_H
#define DGM_DATASOURCE_POSTGRES_LIBRARY_H

#include <libpq-fe.h>
#include <stdbool.h>

struct err;

#define POSTGRES_FUNCTIONS(F)                                                            \
    F(PQcancel)                                                                          \
    F(PQclear)                                                                           \
    F(PQcmdTuples)                                                                       \
    F(PQconnectPoll)                                                                     \
    F(PQconnectStartParams)                                                              \
    F(PQconninfoFree)                                                                    \
    F(PQconninfoParse)                                                                   \
    F(PQconsumeInput)                                                                    \
    F(PQenterPipelineMode)                                                               \
    F(PQerrorMessage)                                                                    \
    F(PQescapeLiteral)                                                                   \
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
    F(PQntuples)                                                                         \
    F(PQpipelineStatus)                                                                  \
    F(PQpipelineSync)                                                                    \
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

struct postgres_library {
#define F(name) __typeof__(&name) name##_; /* NOLINT: a member's name */
    POSTGRES_FUNCTIONS(F)
#undef F
};

/* Filled once postgres_library_load() has said yes; nothing else is called before. */
extern struct postgres_library postgres_library;
bool postgres_library_load(struct err *err);
/* postgres_intake.c: before the library's first use. */
void postgres_intake_prepare(void *library);

/* From here on the functions are those of the table, under their own names. */
#define PQcancel               (postgres_library.PQcancel_)
#define PQclear                (postgres_library.PQclear_)
#define PQcmdTuples            (postgres_library.PQcmdTuples_)
#define PQconnectPoll          (postgres_library.PQconnectPoll_)
#define PQconnectStartParams   (postgres_library.PQconnectStartParams_)
#define PQconninfoFree         (postgres_library.PQconninfoFree_)
#define PQconninfoParse        (postgres_library.PQconninfoParse_)
#define PQconsumeInput         (postgres_library.PQconsumeInput_)
#define PQenterPipelineMode    (postgres_library.PQenterPipelineMode_)
#define PQerrorMessage         (postgres_library.PQerrorMessage_)
#define PQescapeLiteral        (postgres_library.PQescapeLiteral_)
#define PQexitPipelineMode     (postgres_library.PQexitPipelineMode_)
#define PQfinish               (postgres_library.PQfinish_)
#define PQflush                (postgres_library.PQflush_)
#define PQfmod                 (postgres_library.PQfmod_)
#define PQfname                (postgres_library.PQfname_)
#define PQfreeCancel           (postgres_library.PQfreeCancel_)
#define PQfreemem              (postgres_library.PQfreemem_)
#define PQftype                (postgres_library.PQftype_)
#define PQgetCancel            (postgres_library.PQgetCancel_)
#define PQgetResult            (postgres_library.PQgetResult_)
#define PQgetisnull            (postgres_library.PQgetisnull_)
#define PQgetlength            (postgres_library.PQgetlength_)
#define PQgetvalue             (postgres_library.PQgetvalue_)
#define PQisBusy               (postgres_library.PQisBusy_)
#define PQnfields              (postgres_library.PQnfields_)
#define PQntuples              (postgres_library.PQntuples_)
#define PQparameterStatus      (postgres_library.PQparameterStatus_)
#define PQpipelineStatus       (postgres_library.PQpipelineStatus_)
#define PQpipelineSync         (postgres_library.PQpipelineSync_)
#define PQresultErrorField     (postgres_library.PQresultErrorField_)
#define PQresultStatus         (postgres_library.PQresultStatus_)
#define PQsendDescribePrepared (postgres_library.PQsendDescribePrepared_)
#define PQsendFlushRequest     (postgres_library.PQsendFlushRequest_)
#define PQsendPrepare          (postgres_library.PQsendPrepare_)
#define PQsendQuery            (postgres_library.PQsendQuery_)
#define PQsendQueryParams      (postgres_library.PQsendQueryParams_)
#define PQsendQueryPrepared    (postgres_library.PQsendQueryPrepared_)
#define PQserverVersion        (postgres_library.PQserverVersion_)
#define PQsetErrorVerbosity    (postgres_library.PQsetErrorVerbosity_)
#define PQsetNoticeReceiver    (postgres_library.PQsetNoticeReceiver_)
#define PQsetSingleRowMode     (postgres_library.PQsetSingleRowMode_)
#define PQsetnonblocking       (postgres_library.PQsetnonblocking_)
#define PQsocket               (postgres_library.PQsocket_)
#define PQsslInUse             (postgres_library.PQsslInUse_)
#define PQstatus               (postgres_library.PQstatus_)
#define PQtransactionStatus    (postgres_library.PQtransactionStatus_)

#endif
