/*
 * The functions of libpq that the PostgreSQL driver and the store use, under their own
 * names. The library is loaded when the first PostgreSQL database is opened.
 */
#ifndef DGM_BASE_LIBPQ_H
#define DGM_BASE_LIBPQ_H

#include <libpq-fe.h>
#include <stdbool.h>

#include "base/err.h"

struct libpq {
#define FUNCTION(name) __typeof__(&name) name##_; /* NOLINT: a member's name */
#include "base/libpq.def"
#undef FUNCTION
};

/* Filled by libpq_load(); call nothing before that has returned true. */
extern struct libpq libpq;
/* `code`: the error code if the library is missing. */
bool libpq_load(enum err_code code, struct err *err);
/* The loaded library; NULL before. */
void *libpq_handle(void);

/* The usual names, redirected to the table. */
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
