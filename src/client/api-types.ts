/** Generated from docs/openapi.json by `npm run client:types`. Do not edit. */
export interface paths {
    "/jobs/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a job
         * @description Holds the credits that the job can cost at most, and starts it. With an idempotency key a repeat gets the first answer with idempotentReplay true, whatever quoteId it has; a refusal is not remembered. Fields for other job types or simulators are accepted and not used; the status has a warning PARAMETER_UNUSED for each.
         *
         *     A key with the scope `jobs:write`; live keys only.
         */
        post: operations["submitJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs
         * @description Jobs of the account, newest first.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count jobs by state
         * @description How many jobs of the account are in each state. With finishedAfter, of the jobs that have ended only those that ended after that time.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["getJobSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how a job stands
         * @description With If-None-Match the answer is 304 while nothing has changed; with Prefer: wait=25 as well, it is held back until something has.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["getJobStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/bill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the bill of a job
         * @description What each execution of the job costs, line by line, with exchange rate, rounding and the transfers of the ledger; while it runs, what is due so far.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["getJobBill"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tasks of a job
         * @description Tasks by index, with the figures of those that are done, also while the job runs.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["listTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/recoveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was lost, paused and resumed
         * @description Every instance that the job has lost, with its cause, the work that was lost and the time until work went on, and every pause and resume; the oldest entry first. None of it is charged.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["listRecoveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/outputs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the outputs of a job
         * @description Verified outputs with download addresses that are minted for this answer, also while the job runs.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["listOutputs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/tasks/{index}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the log of a task
         * @description What the tool printed, live while it runs. Ask for a range to follow it: bytes=N- gives what came after the first N bytes.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["readTaskLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job
         * @description Stops the job; complete outputs are kept and charged, the rest of the hold is released. A job that has ended stays as it is.
         *
         *     A key with the scope `jobs:write`; live keys only.
         */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a job
         * @description Starts the next execution of a job that is PAUSED, FAILED, CANCELLED or PARTIALLY_SUCCEEDED: what is missing is priced and held as of now, and done. What is verified stays and is not charged again. With limitCents no more than that is held, and the job pauses when no further task is covered.
         *
         *     A key with the scope `jobs:write`; live keys only.
         */
        post: operations["resumeJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the signed receipt of a job
         * @description What a settled execution was: request, inputs and outputs by digests, seed, code, attempts, recoveries and price, signed once and for ever. dockyard receipt verify proves it without the service.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["getJobReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/runs/{runId}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the signed receipt of a run
         * @description The receipt of the job of the run, as GET /jobs/{jobId}/receipt answers it.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["getDockingRunReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receipt-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the public keys of receipts
         * @description The keys that sign receipts or have signed some, as JSON Web Keys. The same list is at /.well-known/dockyard-receipt-keys.json of the service.
         *
         *     No key is needed.
         */
        get: operations["listReceiptKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimate a job
         * @description Prices a job without reserving anything, and answers a quote: submit with its quoteId keeps this price and exchange rate for 15 minutes. A repeat with the same idempotency key is priced anew. Inputs need not exist: without ligands taskCount is priced, or one task. Fields for other job types or simulators are accepted and not used; there is a warning PARAMETER_UNUSED for each.
         *
         *     Any valid key; live and test keys.
         */
        post: operations["estimateJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the prices
         * @description The price book by which jobs are priced now: every figure with its source and date.
         *
         *     No key is needed.
         */
        get: operations["getPublicPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/prices/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the prices of a version
         * @description A price book by its version, as bills name the version. Books of earlier releases stay.
         *
         *     No key is needed.
         */
        get: operations["getPublicPricesOfVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimate roughly
         * @description A rough price from a few figures, without a key and without files; {} is priced by the defaults. POST /jobs/estimate prices a job exactly.
         *
         *     No key is needed.
         */
        post: operations["estimatePublicly"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/upload-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an address to upload a file
         * @description Answers a presigned address for one PUT, and the storage key to submit as sceneFile once the PUT is done.
         *
         *     A key with the scope `jobs:write`; live and test keys.
         */
        post: operations["createUploadUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List uploads
         * @description Multipart uploads of the account that are under way, or verified files; of a path in a project the file that was completed last.
         *
         *     Any valid key; live and test keys.
         */
        get: operations["listUploads"];
        put?: never;
        /**
         * Start a multipart upload
         * @description Reserves room and answers how the file is cut into parts, with addresses for the first 1,000. With checksumAlgorithm each address is fetched with the digest of its part. The upload ends by itself after 7 days.
         *
         *     Any valid key; live and test keys.
         */
        post: operations["initMultipartUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{uploadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how far an upload is
         * @description Asks the store which parts it has. A part counts when its size is exact; what its bytes are, only its ETag or its digest tells.
         *
         *     Any valid key; live and test keys.
         */
        get: operations["getMultipartUpload"];
        put?: never;
        post?: never;
        /**
         * Abort an upload
         * @description Removes the parts and gives the reserved room back. Aborting again answers the same.
         *
         *     Any valid key; live and test keys.
         */
        delete: operations["abortMultipartUpload"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{uploadId}/parts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get addresses for parts
         * @description Presigned addresses for up to 1,000 parts, each for the PUT of exactly its bytes; also in place of ones that have expired.
         *
         *     Any valid key; live and test keys.
         */
        post: operations["createPartUrls"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{uploadId}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete an upload
         * @description Puts the parts together and releases the storage key. A digest of the whole file is held against the stored bytes first; when that takes long the answer is 503, and repeating the call gives the one answer. An upload that was completed without a digest is answered 409 when a later call names one that nobody has compared with the stored bytes.
         *
         *     Any valid key; live and test keys.
         */
        post: operations["completeMultipartUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credits/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the credit balance
         * @description What the account owns, holds for jobs and can spend.
         *
         *     A key with the scope `credits:read`; live and test keys.
         */
        get: operations["getCreditBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credits/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List credit transactions
         * @description Every movement of credits, newest first.
         *
         *     A key with the scope `credits:read`; live and test keys.
         */
        get: operations["listCreditTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credits/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the statements
         * @description The UTC months of which there is a statement, with the balances at their ends.
         *
         *     A key with the scope `credits:read`; live and test keys.
         */
        get: operations["listCreditStatements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credits/statements/{month}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the statement of a month
         * @description Every movement of a UTC month between the balances at its beginning and its end, as JSON or CSV. In CSV the first line of amounts is the opening, the last the closing; a text that a spreadsheet would take for a formula begins with an apostrophe. A statement is sent while it is read: one that breaks off is not whole.
         *
         *     A key with the scope `credits:read`; live and test keys.
         */
        get: operations["getCreditStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credits/tiers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List credit tiers
         * @description What can be bought, with the credits on top.
         *
         *     A key with the scope `credits:read`; live and test keys.
         */
        get: operations["listCreditTiers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credits/topup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy credits
         * @description Opens a hosted checkout for a tier. The credits are posted once the payment has arrived, and pay a debt first. A repeat with the same key answers the same checkout.
         *
         *     A key with the scope `credits:read`; live keys only.
         */
        post: operations["startTopup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credits/topups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List top-ups
         * @description Every purchase of credits, newest first.
         *
         *     A key with the scope `credits:read`; live and test keys.
         */
        get: operations["listTopups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credits/topups/{topupId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a top-up
         * @description How far one purchase of credits is, with its invoice and receipt.
         *
         *     A key with the scope `credits:read`; live and test keys.
         */
        get: operations["getTopup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/artifacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register an uploaded file as an artifact
         * @description Reads the stored bytes, computes their digest and answers the reference to send in requests. The same storage key and format again answers the same artifact.
         *
         *     A key with the scope `jobs:write`; live and test keys.
         */
        post: operations["registerDockingArtifact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/artifacts/{artifactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an artifact
         * @description The reference of a registered artifact.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["getDockingArtifact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/artifacts/{artifactId}/download-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an address to download an artifact
         * @description A presigned address that lives for a short time and gives the file its name and media type. The address is minted for each call and never stored. A file that was changed after it was registered is refused.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        post: operations["createDockingArtifactDownloadUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/ligands/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve a ligand
         * @description Looks up what a ligand is called, without any effect: ids, names and synonyms of the Chemical Component Dictionary, and SMILES. Each candidate has a preview and a signed token; sent as confirmation of a ligand, the token proves which structure was shown. A query that means nothing is answered with no candidate and a warning that says why.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        post: operations["resolveLigand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/batches/{batchId}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the results of a batch
         * @description Also while it runs: a ligand is on a page as soon as its outputs are verified. Ranks count all docked ligands, whatever is filtered. Of the runs that have a ligand, the newest one counts.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["listDockingBatchResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/runs/{runId}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the results of a run
         * @description Also while it runs: a ligand is on a page as soon as its outputs are verified. Ranks count all docked ligands, whatever is filtered.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["listDockingRunResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/batches/{batchId}/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the failed ligands of a batch
         * @description Ligands whose newest run has failed, each with its reason, and how many there are of each reason.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["listDockingBatchFailures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/results/{resultId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a result
         * @description One ligand of a run, from the moment at which the run is planned.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["getDockingResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/results/{resultId}/poses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the poses of a result
         * @description All modes, the best first.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["listDockingPoses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/poses/{poseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a pose
         * @description One mode of a result.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["getDockingPose"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/poses/{poseId}/interactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the interactions of a pose
         * @description Contacts of the pose with the receptor, each with residue, atoms, distance and angle.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["listDockingInteractions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/batches/{batchId}/scene": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a batch as a scene
         * @description The best poses of the best twenty ligands, each as a state of its own. A MolViewSpec scene with the prepared receptor, the residues that a pose touches, its contacts as they are recorded, the box, and the deposited ligand of a control. Its data is read with the scope projects:read; a project takes the scene as it is.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["getDockingBatchScene"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/batches/{batchId}/scene/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the scene of a batch
         * @description The scene of the batch as a file that an unmodified viewer of MolViewSpec opens. A package (mvsx) names its data by files inside; a scene alone (mvsj) by public addresses: those of the oldest open share that names the data, else of the archive of structures. Other data gives 422 EXPORT_NOT_PUBLIC. The key needs jobs:read besides.
         *
         *     A key with the scope `convert`; live and test keys.
         */
        get: operations["exportDockingBatchScene"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/runs/{runId}/scene": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a run as a scene
         * @description The best poses of the best twenty ligands, each as a state of its own. A MolViewSpec scene with the prepared receptor, the residues that a pose touches, its contacts as they are recorded, the box, and the deposited ligand of a control. Its data is read with the scope projects:read; a project takes the scene as it is.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["getDockingRunScene"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/runs/{runId}/scene/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the scene of a run
         * @description The scene of the run as a file that an unmodified viewer of MolViewSpec opens. A package (mvsx) names its data by files inside; a scene alone (mvsj) by public addresses: those of the oldest open share that names the data, else of the archive of structures. Other data gives 422 EXPORT_NOT_PUBLIC. The key needs jobs:read besides.
         *
         *     A key with the scope `convert`; live and test keys.
         */
        get: operations["exportDockingRunScene"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/results/{resultId}/scene": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a result as a scene
         * @description The first twenty modes, each as a state of its own. A MolViewSpec scene with the prepared receptor, the residues that a pose touches, its contacts as they are recorded, the box, and the deposited ligand of a control. Its data is read with the scope projects:read; a project takes the scene as it is.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["getDockingResultScene"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/results/{resultId}/scene/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the scene of a result
         * @description The scene of the result as a file that an unmodified viewer of MolViewSpec opens. A package (mvsx) names its data by files inside; a scene alone (mvsj) by public addresses: those of the oldest open share that names the data, else of the archive of structures. Other data gives 422 EXPORT_NOT_PUBLIC. The key needs jobs:read besides.
         *
         *     A key with the scope `convert`; live and test keys.
         */
        get: operations["exportDockingResultScene"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/poses/{poseId}/scene": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a pose as a scene
         * @description The pose in the receptor. A MolViewSpec scene with the prepared receptor, the residues that a pose touches, its contacts as they are recorded, the box, and the deposited ligand of a control. Its data is read with the scope projects:read; a project takes the scene as it is.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["getDockingPoseScene"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/poses/{poseId}/scene/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the scene of a pose
         * @description The scene of the pose as a file that an unmodified viewer of MolViewSpec opens. A package (mvsx) names its data by files inside; a scene alone (mvsj) by public addresses: those of the oldest open share that names the data, else of the archive of structures. Other data gives 422 EXPORT_NOT_PUBLIC. The key needs jobs:read besides.
         *
         *     A key with the scope `convert`; live and test keys.
         */
        get: operations["exportDockingPoseScene"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/batches/{batchId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export the results of a batch
         * @description The results that are there now, in one file that is made after the answer; `complete` says whether more may come. The same request over the same results is the same export, and one that has failed is made anew. A repeat with the same idempotency key is the same export, also when there are more results by then.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        post: operations["exportDockingBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/runs/{runId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export the results of a run
         * @description The results that are there now, in one file that is made after the answer; `complete` says whether more may come. The same request over the same results is the same export, and one that has failed is made anew. A repeat with the same idempotency key is the same export, also when there are more results by then.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        post: operations["exportDockingRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/exports/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an export
         * @description How far the export is, and its file once it is made.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["getDockingExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/receptors/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Inspect a receptor
         * @description Tells all that the preparation of a receptor would meet: chains, components and boxes around ligands, waters, doubtful histidines, pockets, and everything that would be refused. Not charged. Answers 200 within 10 seconds, else 202 with the place of the answer; the same question is answered at once for 30 days, for a PDB id for one day.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        post: operations["inspectReceptor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/receptors/inspections/{inspectionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an inspection
         * @description The report of an inspection once it is done; 202 while it runs, its failure when it failed.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["getReceptorInspection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/experiments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List experiments
         * @description Experiments of the account, newest first.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["listDockingExperiments"];
        put?: never;
        /**
         * Create an experiment
         * @description Stores a protocol with its ligand; nothing runs and nothing is charged. A token of a resolved ligand is checked here and never again. The box of a ligand or of residues is filled in once a run has found it.
         *
         *     A key with the scope `jobs:write`; live and test keys.
         */
        post: operations["createDockingExperiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/experiments/{experimentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an experiment
         * @description The experiment, with its box once that is known.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["getDockingExperiment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/experiments/{experimentId}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of an experiment
         * @description Runs of the experiment, newest first.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["listDockingRuns"];
        put?: never;
        /**
         * Run an experiment
         * @description Holds what the run can cost at most, and starts its job. With an idempotency key a repeat answers the same run; a refusal is not remembered and leaves nothing.
         *
         *     A key with the scope `jobs:write`; live keys only.
         */
        post: operations["createDockingRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a run
         * @description How the run stands, with its box and its best affinity so far.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["getDockingRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/runs/{runId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description Stops the job of the run; what is verified is kept and charged, the rest of the hold is released. A run that has ended stays as it is.
         *
         *     A key with the scope `jobs:write`; live keys only.
         */
        post: operations["cancelDockingRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List batches
         * @description Batches of the account, newest first.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["listDockingBatches"];
        put?: never;
        /**
         * Start a batch
         * @description Holds what the batch can cost at most, and starts its first run. With an idempotency key a repeat answers the same batch; a refusal is not remembered, and holds and starts nothing.
         *
         *     A key with the scope `jobs:write`; live keys only.
         */
        post: operations["createDockingBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/batches/{batchId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a batch
         * @description How the batch stands: counts over all ligands, and the best affinity so far.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["getDockingBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/batches/{batchId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a batch
         * @description Stops the newest run of the batch; what is verified is kept and charged, the rest of the hold is released. A batch that has ended stays as it is.
         *
         *     A key with the scope `jobs:write`; live keys only.
         */
        post: operations["cancelDockingBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/docking/batches/{batchId}/retry-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dock failed ligands again
         * @description Starts the next run of the batch over ligands that failed: by default those whose code blames the engine or the machine, else those of the codes that are sent. The newest run of a ligand is the one that counts. Two requests at once have one run.
         *
         *     A key with the scope `jobs:write`; live keys only.
         */
        post: operations["retryFailedDocking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description Projects of the account, newest first, without their contents.
         *
         *     A key with the scope `projects:read`; live and test keys.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a project
         * @description Creates a project with its first revision. Nothing is charged.
         *
         *     A key with the scope `projects:write`; live and test keys.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/projects/{projectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a project
         * @description The project with the content of its head.
         *
         *     A key with the scope `projects:read`; live and test keys.
         */
        get: operations["getProject"];
        /**
         * Save a successor
         * @description Appends a revision, which becomes the head, also where the content is equal. No revision is ever overwritten.
         *
         *     A key with the scope `projects:write`; live and test keys.
         */
        put: operations["saveProject"];
        post?: never;
        /**
         * Delete a project
         * @description Deletes the project with its revisions; its shares end. The service keeps nothing of it after thirty days.
         *
         *     A key with the scope `projects:write`; live and test keys.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/projects/{projectId}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List revisions
         * @description Revisions of the project, newest first, without their contents.
         *
         *     A key with the scope `projects:read`; live and test keys.
         */
        get: operations["listProjectRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/projects/{projectId}/revisions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a revision
         * @description The revision with its content, which never changes.
         *
         *     A key with the scope `projects:read`; live and test keys.
         */
        get: operations["getProjectRevision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/projects/{projectId}/revisions/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a revision
         * @description Appends a copy of the revision, which becomes the head. The history stays as it is.
         *
         *     A key with the scope `projects:write`; live and test keys.
         */
        post: operations["restoreProjectRevision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/projects/{projectId}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save and share
         * @description Makes a share that shows one revision for ever: the head, or the content that is sent, which is saved first. Later saves change no share. Several shares may be open.
         *
         *     A key with the scope `projects:write`; live and test keys.
         */
        post: operations["shareProject"];
        /**
         * Revoke shares
         * @description Ends one share, or all shares of the project, at once and for everybody.
         *
         *     A key with the scope `projects:write`; live and test keys.
         */
        delete: operations["revokeProjectShares"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/projects/{projectId}/revisions/{version}/citation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Cite a revision
         * @description How the revision is cited, as a sentence, as BibTeX or as CSL-JSON: by format, else by the Accept header. The address in it is that of the oldest share of the revision; without a share it is one that the account itself opens.
         *
         *     A key with the scope `projects:read`; live and test keys.
         */
        get: operations["citeProjectRevision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/projects/{projectId}/revisions/{version}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the signed receipt of a revision
         * @description What the revision is: its content and the data that the content names by digests, and the jobs that the data came from with the digests of their receipts, signed once and for ever by the keys of receipts. It is made within two minutes after the save, and after the receipts of those jobs.
         *
         *     A key with the scope `projects:read`; live and test keys.
         */
        get: operations["getProjectRevisionReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/projects/{projectId}/revisions/{version}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the scene of a revision
         * @description The scene of the revision as a file that an unmodified viewer of MolViewSpec opens. A package (mvsx) names its data by files inside; a scene alone (mvsj) by public addresses: those of the oldest open share that names the data, else of the archive of structures. Other data gives 422 EXPORT_NOT_PUBLIC. The key needs projects:read besides.
         *
         *     A key with the scope `convert`; live and test keys.
         */
        get: operations["exportProjectRevision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/molecular/shared/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a shared revision
         * @description The revision that the token was made for, and nothing else of its project.
         *
         *     No key is needed.
         */
        get: operations["getSharedRevision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/molecular/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @deprecated
         * @description As listProjects, which takes its place.
         *
         *     A key with the scope `projects:read`; live and test keys.
         */
        get: operations["listProjectsOfBefore"];
        put?: never;
        /**
         * Create a project
         * @deprecated
         * @description As createProject, which takes its place.
         *
         *     A key with the scope `projects:write`; live and test keys.
         */
        post: operations["createProjectOfBefore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/molecular/projects/{projectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a project
         * @deprecated
         * @description As getProject, which takes its place.
         *
         *     A key with the scope `projects:read`; live and test keys.
         */
        get: operations["getProjectOfBefore"];
        /**
         * Save a successor
         * @deprecated
         * @description As saveProject, which takes its place.
         *
         *     A key with the scope `projects:write`; live and test keys.
         */
        put: operations["saveProjectOfBefore"];
        post?: never;
        /**
         * Delete a project
         * @deprecated
         * @description As deleteProject, which takes its place.
         *
         *     A key with the scope `projects:write`; live and test keys.
         */
        delete: operations["deleteProjectOfBefore"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/molecular/projects/{projectId}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List revisions
         * @deprecated
         * @description As listProjectRevisions, which takes its place.
         *
         *     A key with the scope `projects:read`; live and test keys.
         */
        get: operations["listProjectRevisionsOfBefore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/molecular/projects/{projectId}/revisions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a revision
         * @deprecated
         * @description As getProjectRevision, which takes its place.
         *
         *     A key with the scope `projects:read`; live and test keys.
         */
        get: operations["getProjectRevisionOfBefore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/molecular/projects/{projectId}/revisions/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a revision
         * @deprecated
         * @description As restoreProjectRevision, which takes its place.
         *
         *     A key with the scope `projects:write`; live and test keys.
         */
        post: operations["restoreProjectRevisionOfBefore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/molecular/projects/{projectId}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save and share
         * @deprecated
         * @description As shareProject, which takes its place.
         *
         *     A key with the scope `projects:write`; live and test keys.
         */
        post: operations["shareProjectOfBefore"];
        /**
         * Revoke shares
         * @deprecated
         * @description As revokeProjectShares, which takes its place.
         *
         *     A key with the scope `projects:write`; live and test keys.
         */
        delete: operations["revokeProjectSharesOfBefore"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/assets/{artifactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the data of a scene
         * @description The bytes of an artifact of the account, at most 64 MiB, whole or in part. Scenes name their data by this address. A key without jobs:read reads what a kept revision names.
         *
         *     A key with the scope `projects:read`; live and test keys.
         */
        get: operations["readMolecularAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/molecular/shared/{token}/assets/{artifactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the data of a shared scene
         * @description The bytes of an artifact that the shared revision names: whoever opens the scene reads them here, in place of the address in the scene. Nothing else of the account can be read.
         *
         *     No key is needed.
         */
        get: operations["readSharedMolecularAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/structures/{pdbId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an entry of the archive
         * @description The entry as mmCIF. Without a digest it is the newest revision: 202 while the service fetches it, once for all accounts and at most once a day. Its tag is the digest by which scenes name it; a revision that was fetched once stays.
         *
         *     A key with the scope `projects:read`; live and test keys.
         */
        get: operations["readStructure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/molecular/shared/{token}/structures/{pdbId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an entry of the archive in a shared scene
         * @description The revision of an entry that the shared revision names, in place of the address in the scene.
         *
         *     No key is needed.
         */
        get: operations["readSharedStructure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/assets/{artifactId}/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read facts of the data of a scene
         * @description The models, assemblies, chains, ligands and waters of a structure in pdb or mmcif, read once for each digest.
         *
         *     A key with the scope `projects:read`; live and test keys.
         */
        get: operations["getMolecularAssetFacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/molecular/structures/{pdbId}/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read facts of an entry of the archive
         * @description The models, assemblies, chains, ligands and waters of a revision that was imported, read once for each digest.
         *
         *     A key with the scope `projects:read`; live and test keys.
         */
        get: operations["getStructureFacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read events
         * @description What happened to the things of the account, oldest first, of the last 30 days; none is missed and none comes twice. Keep nextCursor, and go on with it whenever you like. With Prefer: wait=25 an empty page is held back until there is an event. A key reads the types of its scopes jobs:read, credits:read and projects:read; those of the account, its keys and its members are for people who have signed in. CURSOR_EXPIRED asks you to catch up: take the cursor of latest=true, read the lists of what you follow, then go on with that cursor.
         *
         *     Any valid key; live and test keys.
         */
        get: operations["readEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow events as a stream
         * @description Server-sent events. A part without a name has an event as GET /events answers it, and its id goes on behind it. Parts with the name results.changed say how far a job is once results were added, at most once a second, and are kept nowhere. A part with the name reset, which has error and code, comes first where the cursor was refused; the stream then begins now. A part without data comes every 15 s. A reader that is slow misses no event. At most 20 streams of an account are open at once. A stream ends when its key or session does, and when the service restarts: come back after the milliseconds of retry, with the last id as Last-Event-ID or after.
         *
         *     Any valid key; live and test keys.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a job as a stream
         * @description Server-sent events. A part without a name has an event as GET /events answers it, and its id goes on behind it. Parts with the name results.changed say how far a job is once results were added, at most once a second, and are kept nowhere. A part with the name reset, which has error and code, comes first where the cursor was refused; the stream then begins now. A part without data comes every 15 s. A reader that is slow misses no event. Parts with the name status have the status of the job and its version, at the beginning and as it changes; they are kept nowhere, too. The stream stays open when the job has ended, because a job can be resumed.
         *
         *     A key with the scope `jobs:read`; live and test keys.
         */
        get: operations["streamJobEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/convert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert a file
         * @description Writes a structure or molecules in another format and tells by warnings what that format does not say; what it cannot say at all is refused. Not charged. Answers 200 within 10 seconds, else 202 with the place of the answer; the same file is answered at once, with the same artifact. The scene of a revision (scope projects:read besides) becomes the file that its export answers.
         *
         *     A key with the scope `convert`; live and test keys.
         */
        post: operations["convertFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/convert/{conversionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a conversion
         * @description The converted file once it is done; 202 while it runs, its failure when it failed.
         *
         *     A key with the scope `convert`; live and test keys.
         */
        get: operations["getConversion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/simulators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List simulators
         * @description Every simulator with its names, what it reads and how it is priced, and whether it can be run now. An unavailable one is refused with UNSUPPORTED_SIMULATOR, by estimate and submit alike; one that is installed is offered within a minute.
         *
         *     Any valid key; live and test keys.
         */
        get: operations["listSimulators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up
         * @description Sends a code by mail, with which the address is confirmed. The answer is the same where the address is known already; then the mail says so.
         *
         *     No key is needed.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an address
         * @description Confirms the address of a sign-up with the code of the mail, once, and with the password of the sign-up, so that nobody confirms an address for somebody else who has signed up with it. Sign in afterwards.
         *
         *     No key is needed.
         */
        post: operations["verifyAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description Begins a session with a new cookie, and ends the one that the browser had. The first sign-in opens the account. An address may be tried ten times within a quarter of an hour from one network.
         *
         *     No key is needed.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the session of this call at once, everywhere, and takes the cookie from the browser. A repeat answers 401, because the session has ended.
         *
         *     Only for people who have signed in; API keys are refused.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a new password
         * @description Sends a code by mail if the address is known. The answer is the same if it is not.
         *
         *     No key is needed.
         */
        post: operations["forgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password
         * @description Sets the password with the code of the mail, once, and ends every session of the person. Sign in afterwards.
         *
         *     No key is needed.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Every browser in which you are signed in.
         *
         *     Only for people who have signed in; API keys are refused.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all your sessions
         * @description Signs you out everywhere, here as well.
         *
         *     Only for people who have signed in; API keys are refused.
         */
        delete: operations["endSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions
         * @description Ends a session at once, everywhere. A repeat answers the same.
         *
         *     Only for people who have signed in; API keys are refused.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oidc/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in by the provider of the operator
         * @description Sends the browser to the provider (OpenID Connect, with a proof key). A cookie of ten minutes binds the sign-in to this browser. Where the operator has named no provider: 404 OIDC_NOT_CONFIGURED.
         *
         *     No key is needed.
         */
        get: operations["startOidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Come back from the provider
         * @description Where the provider sends the browser back to, once. Begins a session with a new cookie, and ends the one that the browser had. A person who is new gets an account; a person who is known by the address is joined only if both the provider and this service have verified the address. 401 TOTP_REQUIRED: send the code to POST /auth/oidc/finish.
         *
         *     No key is needed.
         */
        get: operations["oidcCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oidc/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the second factor after the provider
         * @description Ends a sign-in that the provider has proved and that waits for a code of the second factor, in the browser in which it began. Codes are counted as at the sign-in.
         *
         *     No key is needed.
         */
        post: operations["finishOidc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how your second factor stands
         * @description Whether the sign-in asks for a code, and how many recovery codes are left.
         *
         *     Only for people who have signed in; API keys are refused.
         */
        get: operations["getSecondFactor"];
        put?: never;
        /**
         * Begin a second factor
         * @description Draws a secret for an authenticator (RFC 6238: six digits, thirty seconds). Nothing changes until it is confirmed, and a repeat draws another one in its place.
         *
         *     Only for people who have signed in; API keys are refused.
         */
        post: operations["beginSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the second factor
         * @description Makes the second factor count with a code of the authenticator, and shows the recovery codes. A repeat answers 409 TOTP_ENABLED and shows none.
         *
         *     Only for people who have signed in; API keys are refused.
         */
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/totp/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take the second factor away
         * @description Needs a code of the authenticator or a recovery code. A repeat answers the same.
         *
         *     Only for people who have signed in; API keys are refused.
         */
        post: operations["disableSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/cli/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a command line in
         * @description What the page /cli-login calls when a person lets the command line in that has opened it: draws a code, which is good for two minutes and once, and only together with the secret of the challenge. A repeat draws another code.
         *
         *     Only for people who have signed in; API keys are refused.
         */
        post: operations["approveCli"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/cli/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin the session of a command line
         * @description Begins a session with the code of POST /auth/cli/approve and the secret of its challenge. A wrong secret uses the code up. The session is one of the person who has let the command line in, and ends twelve hours after that sign-in at the latest.
         *
         *     No key is needed.
         */
        post: operations["beginCliSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the people of the account
         * @description Everybody who belongs to the account, with their roles.
         *
         *     Only for people who have signed in; API keys are refused.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List open invitations
         * @description Whom the owners have invited who has not accepted yet.
         *
         *     Only for owners of the account who have signed in; API keys are refused.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite somebody
         * @description Sends a code by mail, which is good for seven days and once. The new invitation takes the place of an open invitation of the same address. An account has at most 100 members and open invitations, and sends at most 50 invitations an hour.
         *
         *     Only for owners of the account who have signed in; API keys are refused.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End an invitation
         * @description Its code can be used no more. A repeat answers the same, and one that was accepted stays accepted.
         *
         *     Only for owners of the account who have signed in; API keys are refused.
         */
        delete: operations["endInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the role of a member
         * @description Makes a member an owner, or an owner a member. The last owner of an account stays one.
         *
         *     Only for owners of the account who have signed in; API keys are refused.
         */
        put: operations["changeMember"];
        post?: never;
        /**
         * Leave the account, or remove a member
         * @description An owner removes anybody, everybody leaves by themselves; the last owner stays, unless nobody else is in the account and it has no credits, debt, jobs, keys, paid plan or payment under way: leaving then closes the account for ever. All sessions of the person end at once. The keys of the person go on, and are named in the answer and to the owners by mail.
         *
         *     Only for people who have signed in; API keys are refused.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Joins the account with the code of the mail. Whoever is new here begins with the password that is sent; whoever has a password here sends that one. Nobody belongs to two accounts; OTHER_ACCOUNT says how to leave the other one. Sign in afterwards.
         *
         *     No key is needed.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The keys of the account for an owner, your own for a member; newest first, ended ones too.
         *
         *     Only for people who have signed in; API keys are refused.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The key is shown in this answer only. A repeat with the same Idempotency-Key makes no other key and shows none: it answers 409 KEY_ALREADY_ISSUED and names the key. An account has at most 100 keys that can be used. Where owners have set memberKeysLimitCents, a member sends monthlyLimitCents within what is left of it, else the answer is COST_LIMIT_EXCEEDED.
         *
         *     Only for people who have signed in; API keys are refused.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/revoke-this": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke the key of this call
         * @description Ends the key that the request is made with, at once and for ever: whoever finds a leaked key can make it useless. A repeat answers 401, because the key has ended.
         *
         *     Any valid key, live or test; the operation is about the key itself.
         */
        post: operations["revokeThisApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Ends a key for ever; every process refuses it within seconds. A repeat answers the same.
         *
         *     Only for people who have signed in; API keys are refused.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description Makes a key with the same name, environment, scopes, networks and monthly limit, shown in this answer only. The old key works for overlapSeconds more and then ends by itself. The monthly limit is one limit for both keys, and what the old key used of it stays used.
         *
         *     Only for people who have signed in; API keys are refused.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/license-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List licence servers
         * @description The licence servers of the account, without their secrets.
         *
         *     Only for owners of the account who have signed in; API keys are refused.
         */
        get: operations["listLicenseServers"];
        put?: never;
        /**
         * Add a licence server
         * @description Keeps a licence server for the jobs of the account. The secret of the server is stored encrypted, and no answer tells it again.
         *
         *     Only for owners of the account who have signed in; API keys are refused.
         */
        post: operations["addLicenseServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/license-servers/{licenseServerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a licence server
         * @description One licence server of the account, without its secret.
         *
         *     Only for owners of the account who have signed in; API keys are refused.
         */
        get: operations["getLicenseServer"];
        /**
         * Change a licence server
         * @description Makes the licence server what the request says. A secret that is left out stays; once protocol, host or port change, the secret must be sent again.
         *
         *     Only for owners of the account who have signed in; API keys are refused.
         */
        put: operations["changeLicenseServer"];
        post?: never;
        /**
         * Remove a licence server
         * @description Removes the licence server and its secret. A repeat answers the same.
         *
         *     Only for owners of the account who have signed in; API keys are refused.
         */
        delete: operations["removeLicenseServer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/license-servers/{licenseServerId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a licence server
         * @description Connects to the licence server once, for at most three seconds, and says whether that went well; nothing that the server sends is told. Redirects are not followed. With https the secret is sent as a bearer token.
         *
         *     Only for owners of the account who have signed in; API keys are refused.
         */
        post: operations["testLicenseServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/billing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the cost limits
         * @description The plan of the account, the cost limits of the account and of its API keys, and what was spent of them in the UTC month.
         *
         *     Only for owners of the account who have signed in; API keys are refused.
         */
        get: operations["getBillingSettings"];
        /**
         * Change the cost limits
         * @description Changes the limits that the request names; a submit that would pass one is refused with COST_LIMIT_EXCEEDED. A limit below what is charged and held already is taken, and counts for new jobs. A repeat changes nothing. With autoTopUp a tier is bought with the default card when credits run low, one at a time; a card that refuses pauses it, and the owners get a mail.
         *
         *     Only for owners of the account who have signed in; API keys are refused.
         */
        put: operations["setBillingSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which mails are sent
         * @description The mails about money that the owners of the account get. All are on until one is switched off.
         *
         *     Only for owners of the account who have signed in; API keys are refused.
         */
        get: operations["getNotificationSettings"];
        /**
         * Change which mails are sent
         * @description Switches the mails that the request names on or off. A repeat changes nothing.
         *
         *     Only for owners of the account who have signed in; API keys are refused.
         */
        put: operations["setNotificationSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/billing/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribe to the plan pro
         * @description Opens a hosted checkout of the plan pro. The plan begins, and its monthly credits are granted, once the first invoice is paid. Refused while a subscription goes on.
         *
         *     Only for owners of the account who have signed in; API keys are refused.
         */
        post: operations["subscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/billing/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open the billing portal
         * @description Opens a hosted page on which the owner keeps cards and invoices, and ends the subscription. The monthly credits of a period that was paid stay until its end. Whoever has the address of the page acts on it, so it is not stored, and a repeat opens another page.
         *
         *     Only for owners of the account who have signed in; API keys are refused.
         */
        post: operations["openBillingPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description Who changed what of the account: keys, sign-ins, passwords, and what operators did. Each entry was written together with its change and is never changed or removed.
         *
         *     Only for owners of the account who have signed in; API keys are refused.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "job.submitted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * job.submitted
         * @description A job is SUBMITTED.
         */
        post: operations["event.job.submitted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.queued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * job.queued
         * @description A job is QUEUED.
         */
        post: operations["event.job.queued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.provisioning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * job.provisioning
         * @description A job is PROVISIONING.
         */
        post: operations["event.job.provisioning"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.running": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * job.running
         * @description A job is RUNNING.
         */
        post: operations["event.job.running"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.recovering": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * job.recovering
         * @description A job is RECOVERING.
         */
        post: operations["event.job.recovering"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * job.paused
         * @description A job is PAUSED.
         */
        post: operations["event.job.paused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.finalizing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * job.finalizing
         * @description A job is FINALIZING.
         */
        post: operations["event.job.finalizing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.cancelling": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * job.cancelling
         * @description A job is CANCELLING.
         */
        post: operations["event.job.cancelling"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * job.succeeded
         * @description A job is SUCCEEDED.
         */
        post: operations["event.job.succeeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.partially_succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * job.partially_succeeded
         * @description A job is PARTIALLY_SUCCEEDED.
         */
        post: operations["event.job.partially_succeeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * job.failed
         * @description A job is FAILED.
         */
        post: operations["event.job.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * job.cancelled
         * @description A job is CANCELLED.
         */
        post: operations["event.job.cancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * job.progress
         * @description Another tenth of the tasks of a job is decided.
         */
        post: operations["event.job.progress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.recovered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * job.recovered
         * @description Work goes on after a lost instance; the loss costs nothing.
         */
        post: operations["event.job.recovered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "upload.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * upload.completed
         * @description A multipart upload is complete, and its bytes are verified.
         */
        post: operations["event.upload.completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "upload.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * upload.failed
         * @description A multipart upload has failed.
         */
        post: operations["event.upload.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "upload.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * upload.expired
         * @description A multipart upload was not completed in time.
         */
        post: operations["event.upload.expired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "inspection.made": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * inspection.made
         * @description A receptor is inspected, and its report can be read.
         */
        post: operations["event.inspection.made"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "docking.export.made": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * docking.export.made
         * @description An export of results is made.
         */
        post: operations["event.docking.export.made"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "docking.export.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * docking.export.failed
         * @description An export of results could not be made.
         */
        post: operations["event.docking.export.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "topup.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * topup.paid
         * @description A top-up is paid, and its credits are there.
         */
        post: operations["event.topup.paid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "topup.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * topup.failed
         * @description A top-up was not paid.
         */
        post: operations["event.topup.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "topup.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * topup.expired
         * @description A top-up was not paid in time.
         */
        post: operations["event.topup.expired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credits.low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * credits.low
         * @description The credits have fallen below what an owner has set.
         */
        post: operations["event.credits.low"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credits.limit_reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * credits.limit_reached
         * @description Half, 80 % or all of the limit of a month, of the account or of an API key, is used.
         */
        post: operations["event.credits.limit_reached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.saved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * project.saved
         * @description A project has a new version.
         */
        post: operations["event.project.saved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.shared": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * project.shared
         * @description A version of a project was shared.
         */
        post: operations["event.project.shared"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.share_revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * project.share_revoked
         * @description A share of a project was revoked.
         */
        post: operations["event.project.share_revoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * project.deleted
         * @description A project was deleted; its shares have ended.
         */
        post: operations["event.project.deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "account.active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * account.active
         * @description A account is ACTIVE.
         */
        post: operations["event.account.active"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "account.suspended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * account.suspended
         * @description A account is SUSPENDED.
         */
        post: operations["event.account.suspended"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "account.closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * account.closed
         * @description A account is CLOSED.
         */
        post: operations["event.account.closed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * key.created
         * @description An API key was created.
         */
        post: operations["event.key.created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.rotated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * key.rotated
         * @description An API key was given a successor.
         */
        post: operations["event.key.rotated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * key.revoked
         * @description An API key was revoked.
         */
        post: operations["event.key.revoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.invited": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.invited
         * @description Somebody was invited to the account.
         */
        post: operations["event.member.invited"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.joined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.joined
         * @description Somebody has accepted an invitation.
         */
        post: operations["event.member.joined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.changed
         * @description A member has another role.
         */
        post: operations["event.member.changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.left": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.left
         * @description A member has left, or was removed.
         */
        post: operations["event.member.left"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description State of a job.
         *
         *     `SUBMITTED`: The job is accepted and its credits are held. Wait: the job goes on by itself.
         *
         *     `QUEUED`: The job waits for capacity or a licence; the status says for which. Wait: the job starts by itself.
         *
         *     `PROVISIONING`: Instances start, inputs are staged and what all tasks share is prepared. Wait: the tasks follow.
         *
         *     `RUNNING`: At least one task is in progress. Follow the progress; outputs of finished tasks can be downloaded already.
         *
         *     `RECOVERING`: Lost instances are being replaced; finished tasks are kept, and lost time is not charged. Wait: the job goes on by itself.
         *
         *     `PAUSED`: Nothing runs and nothing is held; verified tasks are kept. Read pauseReason, and do what its explanation says.
         *
         *     `FINALIZING`: Every task has ended; outputs are counted and the credits settled. Wait: the job is about to end.
         *
         *     `CANCELLING`: The tools are being stopped; what is complete is kept and charged. Wait: the job is about to end.
         *
         *     `SUCCEEDED`: Every task is verified and charged; the rest of the hold was released. Download the outputs.
         *
         *     `PARTIALLY_SUCCEEDED`: Some tasks are verified and charged; the others failed and cost nothing. Download the outputs, read the failures, and submit what is missing as a new job.
         *
         *     `FAILED`: No task was verified, and nothing was charged; where a required control has missed, the start fee. Read the failures, correct the job, and submit it again.
         *
         *     `CANCELLED`: The job was ended on request; verified tasks were charged and the rest was released. Download the outputs of the verified tasks, if there are any.
         */
        JobState: "SUBMITTED" | "QUEUED" | "PROVISIONING" | "RUNNING" | "RECOVERING" | "PAUSED" | "FINALIZING" | "CANCELLING" | "SUCCEEDED" | "PARTIALLY_SUCCEEDED" | "FAILED" | "CANCELLED" | (string & {});
        /**
         * @description Why a job is paused; null when it is not.
         *
         *     `COST_LIMIT`: Going on would cost more than a limit allows: limitCents of the resume, or the limit of the job, the account or the API key. Read cost.toFinishCents and cost.toFinishAdvice of the status, raise the limit, then resume the job.
         *
         *     `CREDITS`: The credits do not cover what is left. Read cost.toFinishCents and cost.toFinishAdvice of the status, top up the credits, then resume the job.
         *
         *     `LICENSE`: No licence was free for too long. Resume the job at a quieter time.
         *
         *     `OPERATOR`: The service paused the job; unless an operator did so, statusReason says what came to nothing. Resume the job when the cause is mended, or cancel the job and keep what is verified.
         */
        PauseReason: "COST_LIMIT" | "CREDITS" | "LICENSE" | "OPERATOR" | (string & {}) | null;
        /**
         * @description What a queued job waits for. Treat unknown codes generically.
         *
         *     `ACCOUNT_LIMIT`: The account uses all the capacity that one account may have. Wait: the job starts when another job of the account ends.
         *
         *     `CAPACITY`: All capacity is in use. Wait: the job starts by itself, and queue.position tells its place.
         *
         *     `NO_CAPACITY`: Nobody has an instance of the kind that the job needs now. Wait: the job asks again by itself, after pauses of at most a quarter of an hour.
         */
        WaitReason: "ACCOUNT_LIMIT" | "CAPACITY" | "NO_CAPACITY" | (string & {});
        /**
         * @description Why an instance was given up. Treat unknown codes generically.
         *
         *     `OUTPUTS_MISSING`: Outputs are not in the store as they were verified. Nothing needs to be done: the tasks that were lost are run again and not charged.
         *
         *     `INSTANCE_GONE`: An instance does not exist any more. Nothing needs to be done: the tasks that were lost are run again and not charged.
         *
         *     `INSTANCE_SILENT`: An instance did not answer for too long. Nothing needs to be done: the tasks that were lost are run again and not charged.
         *
         *     `LAUNCH_REFUSED`: No instance can be had until an operator of the service has mended the cause. Wait: nothing was charged for it, and the job is resumed when the cause is mended.
         *
         *     `PREEMPTED`: A spot instance was taken away by the cloud. Nothing needs to be done: the tasks that were lost are run again and not charged.
         *
         *     `WORKER_ERROR`: An instance failed again and again, and is replaced. Nothing needs to be done: the tasks that were lost are run again and not charged.
         *
         *     `NO_PROGRESS`: An instance answered but finished nothing, and is replaced. Nothing needs to be done: the tasks that were lost are run again and not charged.
         *
         *     `CONTROL_LOST`: The service has lost hold of the job, and has taken the job up again. Nothing needs to be done: the tasks that were lost are run again and not charged.
         */
        LossCause: "OUTPUTS_MISSING" | "INSTANCE_GONE" | "INSTANCE_SILENT" | "LAUNCH_REFUSED" | "PREEMPTED" | "WORKER_ERROR" | "NO_PROGRESS" | "CONTROL_LOST" | (string & {});
        /**
         * @description Why work stopped, or went on. Treat unknown codes generically.
         *
         *     `OUTPUTS_MISSING`: Outputs are not in the store as they were verified. Nothing needs to be done: the tasks that were lost are run again and not charged.
         *
         *     `INSTANCE_GONE`: An instance does not exist any more. Nothing needs to be done: the tasks that were lost are run again and not charged.
         *
         *     `INSTANCE_SILENT`: An instance did not answer for too long. Nothing needs to be done: the tasks that were lost are run again and not charged.
         *
         *     `LAUNCH_REFUSED`: No instance can be had until an operator of the service has mended the cause. Wait: nothing was charged for it, and the job is resumed when the cause is mended.
         *
         *     `PREEMPTED`: A spot instance was taken away by the cloud. Nothing needs to be done: the tasks that were lost are run again and not charged.
         *
         *     `WORKER_ERROR`: An instance failed again and again, and is replaced. Nothing needs to be done: the tasks that were lost are run again and not charged.
         *
         *     `NO_PROGRESS`: An instance answered but finished nothing, and is replaced. Nothing needs to be done: the tasks that were lost are run again and not charged.
         *
         *     `CONTROL_LOST`: The service has lost hold of the job, and has taken the job up again. Nothing needs to be done: the tasks that were lost are run again and not charged.
         *
         *     `COST_LIMIT`: Going on would cost more than a limit allows: limitCents of the resume, or the limit of the job, the account or the API key. Read cost.toFinishCents and cost.toFinishAdvice of the status, raise the limit, then resume the job.
         *
         *     `CREDITS`: The credits do not cover what is left. Read cost.toFinishCents and cost.toFinishAdvice of the status, top up the credits, then resume the job.
         *
         *     `LICENSE`: No licence was free for too long. Resume the job at a quieter time.
         *
         *     `OPERATOR`: The service paused the job; unless an operator did so, statusReason says what came to nothing. Resume the job when the cause is mended, or cancel the job and keep what is verified.
         *
         *     `RESUMED`: The job was resumed, and does what was missing. Nothing needs to be done: the tasks that were lost are run again and not charged.
         */
        RecoveryCause: "OUTPUTS_MISSING" | "INSTANCE_GONE" | "INSTANCE_SILENT" | "LAUNCH_REFUSED" | "PREEMPTED" | "WORKER_ERROR" | "NO_PROGRESS" | "CONTROL_LOST" | "COST_LIMIT" | "CREDITS" | "LICENSE" | "OPERATOR" | "RESUMED" | (string & {});
        /**
         * @description Machine-readable reason of a failure. Treat unknown codes generically.
         *
         *     `ENGINE_CRASHED`: The tool ended by itself with an error. A preparation is tried four times before it fails with this code. Read the log of the task, and report the failure when the input is sound.
         *
         *     `ENGINE_TIMEOUT`: The tool did not end within its time limit. Split the input, or ask for less work in each task. With autodock-vina: Lower exhaustiveness, or let fewer side chains turn. With fpocket: Choose fewer chains, or the asymmetric unit instead of the assembly. With blastp: Use more tasks, raise blastTimeoutSeconds, or lower blastMaxHits. With blastn: Use more tasks, raise blastTimeoutSeconds, or lower blastMaxHits.
         *
         *     `ENGINE_OUT_OF_MEMORY`: The tool needed more memory than a task has, or the system killed the tool each time it was tried. Use a smaller input. With autodock-vina: Use a smaller box. With fpocket: Choose fewer chains, or the asymmetric unit instead of the assembly. With blastp: Use more tasks, or a smaller database. With blastn: Use more tasks, or a smaller database.
         *
         *     `ENGINE_LIMIT_EXCEEDED`: The tool wrote more than a task may, or started too many processes. Use a smaller input, and report the failure when the input is an ordinary one.
         *
         *     `OUTPUT_UNVERIFIED`: The tool wrote outputs that are not what they must be, and they were not kept. Submit the task as a new job, and report the failure when it stays.
         *
         *     `INPUT_NOT_FOUND`: A storage key names no stored file of this account. Upload the file, and send the storage key that the upload answered.
         *
         *     `INPUT_CHANGED`: An input is no longer the file that the job was submitted with. Upload the file under a key of its own, and submit the job again.
         *
         *     `INPUT_DIGEST_MISMATCH`: An input arrived on the instance with other bytes than the job names. Upload the file again, and submit the job again.
         *
         *     `INPUT_UNREADABLE`: An input has a name that no file can have. Upload the file under another name, and submit the job again.
         *
         *     `PACK_NOT_INSTALLED`: The programs that the simulator runs are not installed on the machine, or were removed from it. Ask the operator to install it; then submit what is missing as a new job.
         *
         *     `WORKER_LOST`: The instance was lost each time it ran this task: four times, in standard recovery. In resumable recovery no task is given up for this. Submit what is missing as a new job.
         *
         *     `STOP_RULE`: The batch has stopped by its rule at an earlier task. This task is cancelled, however far it had come, and not charged. Start a batch without stopWhen, or with a longer one, where the rest is to be done.
         *
         *     `CONTROL_MISSED`: The control that the job requires came out farther from what is known than it allows, so no task was run. The start fee is charged and nothing else; what the control has made is among the outputs. Look at the outputs of the control, then try other inputs or a larger search; or allow a larger distance. With autodock-vina: Look at the poses of the control, then try another receptor, box or preparation, or a larger search; or require less (dockingValidation.requiredRmsdAngstrom, --require-control).
         *
         *     `INTERNAL_ERROR`: The service failed; a task that fails with this code is not charged. Repeat the request, and report the X-Request-Id when the failure stays. Submit the tasks that failed so as a new job.
         *
         *     `RECEPTOR_NOT_FOUND`: The Protein Data Bank has no entry with this id, or no mmCIF file of the entry. Check the id, or upload the file.
         *
         *     `RECEPTOR_FETCH_FAILED`: The structure could not be fetched: the archive did not answer, or sent something else. Submit the request again later, or upload the file.
         *
         *     `RECEPTOR_UNREADABLE`: The file is neither PDB nor mmCIF, is cut off, has an atom in two places, or is too large. Open the file in a viewer and send it whole, or choose fewer chains.
         *
         *     `RECEPTOR_EMPTY`: Nothing of a protein or nucleic acid is left. Check the chains, the model and the assembly.
         *
         *     `RECEPTOR_ASSEMBLY_NOT_FOUND`: The file names no such biological assembly; the message lists those that it has. Name one of the assemblies that are listed, or send asymmetric to take the model as it is.
         *
         *     `RECEPTOR_MODEL_NOT_FOUND`: The file has no model of this number; the message lists the models. Count the models from 1, and name one that the file has.
         *
         *     `RECEPTOR_CHAIN_NOT_FOUND`: The model has no such chain; the message lists the chains that it has. Name chains by their author chain ids, and a blank one as _.
         *
         *     `RECEPTOR_TEMPLATE_UNMATCHED`: A residue is not what its name says: atoms are missing, too many or wrongly bonded. Mend the residue that the message names.
         *
         *     `RECEPTOR_MISSING_ATOMS`: A residue lacks atoms that the chosen method does not build. Use protonationMethod pdb2pqr-propka for side chains, or model the missing atoms.
         *
         *     `RECEPTOR_UNKNOWN_COMPONENT`: A modified residue or retained component has no template; the message says why. Remove the component with removeComponents, or replace it by its parent.
         *
         *     `RECEPTOR_CLASH`: Two residues lie so close that they look bonded, or a residue stands in itself. Side chains more than 4 Å from the box are mended by themselves unless repair is none, nearer ones where repair is box. Mend or minimise the residues that the message names, or use another entry.
         *
         *     `RECEPTOR_RESIDUE_NOT_FOUND`: The selected chains have no residue that retainResidues, removeResidues or flexibleResidues names. Check chain, number and insertion code against the file.
         *
         *     `RECEPTOR_RESIDUE_AMBIGUOUS`: The name of a residue stands for several of the selected chains, or two names stand for one residue; the message lists them. Add the chain, or chain and number, as the message has them: STR, STR:A and STR:A:1 are read everywhere.
         *
         *     `RECEPTOR_RESIDUE_NOT_FLEXIBLE`: A residue that flexibleResidues names has no side chain that turns, is bound by it to a metal or another residue, or reaches out of the box; the message says which and why. Choose another residue, or a larger box.
         *
         *     `PROTONATION_FAILED`: The pH method (pdb2pqr with PROPKA) could not protonate the receptor, or a residue cannot have the state that fixedProtonationStates gives it; the message says where. Check the numbering of the residue that the message names, or try protonationMethod meeko.
         *
         *     `POCKET_LIGAND_NOT_FOUND`: The selected atoms hold no such ligand. Check component, chain and residue of pocketLigand.
         *
         *     `POCKET_LIGAND_AMBIGUOUS`: The structure holds several copies of the ligand; the message lists them. Name one of the copies by chain and residue.
         *
         *     `BOX_EMPTY`: Fewer than 50 heavy atoms of the receptor are in the box. Check the centre of the box against the deposited coordinates.
         *
         *     `NATIVE_REFERENCE_NOT_FOUND`: The ligand of the control docking is not in the structure, is not whole there, or is not in the dictionary. Check componentId, chain and residue; the message says what is there.
         *
         *     `LIGAND_PARSE_FAILED`: The SMILES or the file is no molecule; the message says where it stops making sense. Correct the ligand at that place, and submit it again.
         *
         *     `LIGAND_NOT_FOUND`: The Chemical Component Dictionary has no such component. Check the component id, or send the ligand as SMILES or as a file.
         *
         *     `LIGAND_MULTI_FRAGMENT`: The ligand is several molecules, and those beside it are no known salt. Send one of the molecules.
         *
         *     `LIGAND_MULTI_RECORD`: The ligand file holds several records. Send each record as a ligand of its own.
         *
         *     `LIGAND_FORMAT_UNSUPPORTED`: The ligand file has a format that docking does not read. Send SDF, MOL2, or PDBQT as Meeko writes it.
         *
         *     `LIGAND_ARTIFACT_UNREADABLE`: The stored ligand file cannot be read as what its format says. Upload the file again, and register it with the format that it has.
         *
         *     `LIGAND_UNSUPPORTED_ATOM`: An atom of the ligand is none of H, C, N, O, F, P, S, Cl, Br, I, B, Si, or is a radical or placeholder: Vina has no parameters for it. Send the ligand without this atom, or complete the valence that leaves a radical.
         *
         *     `LIGAND_EMBED_FAILED`: No three-dimensional structure of the ligand could be made. The message says whether its stereochemistry is the reason, or rings that are too strained or too crowded. Send an isomer that can exist, or a part of the ligand without such rings.
         *
         *     `LIGAND_TOO_LARGE`: The ligand has more than 100 heavy atoms or 32 torsions; docking would find nothing. Dock a fragment of the ligand.
         *
         *     `LIGAND_PREPARATION_TIMEOUT`: Preparing the ligand took too long; the ligand may be too complex. Send a simpler form of the ligand, or a PDBQT that Meeko has prepared.
         *
         *     `POCKETS_NO_ATOMS`: The selection has no atoms that fpocket reads: it takes ATOM records, and of HETATM records only metals, cofactors and modified residues of its own list. Choose chains with a protein or nucleic acid, or check that the file writes them as ATOM.
         *
         *     `QUERY_EMPTY`: The file of queries has no sequence. Send a FASTA file with at least one sequence.
         *
         *     `QUERY_INVALID`: A query cannot be read; the message names its record and line and says why. Mend the record. Two different sequences need two names, which are the first words after >.
         *
         *     `QUERY_TYPE_MISMATCH`: A query is a nucleotide sequence where proteins are searched, or the other way round. Use blastp for proteins and blastn for nucleotide sequences.
         *
         *     `QUERY_TOO_LARGE`: The queries, or one of them, are larger than a search takes: 64 MiB, 100,000 queries, 100,000 residues or 10 million bases each. Split the file, or search the part of the sequence that matters.
         *
         *     `TASK_COUNT_MISMATCH`: The taskCount does not fit what the inputs hold; the message tells both numbers. Leave taskCount out, or correct it.
         *
         *     `DATABASE_TYPE_MISMATCH`: The database holds sequences of the other type. Search proteins (prot) with blastp and nucleotide sequences (nucl) with blastn.
         *
         *     `DATABASE_CHECKSUM_MISMATCH`: The file of the database has another SHA-256 than blastDatabaseChecksum. Upload the right file, or correct or leave out the checksum.
         *
         *     `DATABASE_UNREADABLE`: The database is neither FASTA nor complete volumes; the message says what is wrong. Send plain FASTA, or every volume that makeblastdb wrote, under the names that it gave them.
         *
         *     `OUTPUT_TOO_LARGE`: The results of a task are larger than blastMaxOutputBytes allows. Lower blastMaxHits or blastEvalue, use more tasks, or raise blastMaxOutputBytes.
         */
        FailureCode: "ENGINE_CRASHED" | "ENGINE_TIMEOUT" | "ENGINE_OUT_OF_MEMORY" | "ENGINE_LIMIT_EXCEEDED" | "OUTPUT_UNVERIFIED" | "INPUT_NOT_FOUND" | "INPUT_CHANGED" | "INPUT_DIGEST_MISMATCH" | "INPUT_UNREADABLE" | "PACK_NOT_INSTALLED" | "WORKER_LOST" | "STOP_RULE" | "CONTROL_MISSED" | "INTERNAL_ERROR" | "RECEPTOR_NOT_FOUND" | "RECEPTOR_FETCH_FAILED" | "RECEPTOR_UNREADABLE" | "RECEPTOR_EMPTY" | "RECEPTOR_ASSEMBLY_NOT_FOUND" | "RECEPTOR_MODEL_NOT_FOUND" | "RECEPTOR_CHAIN_NOT_FOUND" | "RECEPTOR_TEMPLATE_UNMATCHED" | "RECEPTOR_MISSING_ATOMS" | "RECEPTOR_UNKNOWN_COMPONENT" | "RECEPTOR_CLASH" | "RECEPTOR_RESIDUE_NOT_FOUND" | "RECEPTOR_RESIDUE_AMBIGUOUS" | "RECEPTOR_RESIDUE_NOT_FLEXIBLE" | "PROTONATION_FAILED" | "POCKET_LIGAND_NOT_FOUND" | "POCKET_LIGAND_AMBIGUOUS" | "BOX_EMPTY" | "NATIVE_REFERENCE_NOT_FOUND" | "LIGAND_PARSE_FAILED" | "LIGAND_NOT_FOUND" | "LIGAND_MULTI_FRAGMENT" | "LIGAND_MULTI_RECORD" | "LIGAND_FORMAT_UNSUPPORTED" | "LIGAND_ARTIFACT_UNREADABLE" | "LIGAND_UNSUPPORTED_ATOM" | "LIGAND_EMBED_FAILED" | "LIGAND_TOO_LARGE" | "LIGAND_PREPARATION_TIMEOUT" | "POCKETS_NO_ATOMS" | "QUERY_EMPTY" | "QUERY_INVALID" | "QUERY_TYPE_MISMATCH" | "QUERY_TOO_LARGE" | "TASK_COUNT_MISMATCH" | "DATABASE_TYPE_MISMATCH" | "DATABASE_CHECKSUM_MISMATCH" | "DATABASE_UNREADABLE" | "OUTPUT_TOO_LARGE" | (string & {});
        /**
         * @description Machine-readable warning. The lookup of a ligand also warns with the codes of failures. Treat unknown codes generically.
         *
         *     `PARAMETER_UNUSED`: A field was sent that is for another job type or simulator; the field was not used and changes nothing. Leave the field out, or send it to the job that it is for.
         *
         *     `LIBRARY_NAME_REPEATED`: Records of a library have one name; all but the first got a number behind it, which the message shows. Records with equal structures are docked once. Nothing is to be done. Give each record a name of its own where the numbers are in your way.
         *
         *     `LIBRARY_PROPERTIES_LEFT_OUT`: A library has more further columns or tags, or longer values, than its records keep; the message names them. Put the columns that you need first, or join the results to your own table by their ids.
         *
         *     `FORECAST_NOT_COVERED`: A job that is priced by measured seconds takes longer than was expected: by what it has done it comes to more than is held and may be held. Top up, or raise the limit that the message names, before the job pauses; a job that has paused is resumed afterwards.
         *
         *     `SPOT_NOT_OFFERED`: A resumable job was asked for where no spot instances are offered; it costs as much as a standard one. Nothing need be done: a resumable job still survives more losses of its instances than a standard one.
         *
         *     `SPOT_PRICED`: The price of a resumable job counts with spot instances, which are cheaper and may be taken away. Nothing need be done: what is taken away is replaced, and an instance on demand in its place costs no more.
         *
         *     `RECEPTOR_REPAIRED`: Residues could not be as they stand in the file: side chains were built anew or cut to alanine, and residues without a whole backbone were left out. The message names what moved. Mend the file if these residues matter, or send repair none to have the receptor refused.
         *
         *     `POCKET_REPAIRED`: A side chain in the box, or within 4 Å of it, could not be as it stands in the file and was built anew or cut to alanine, as repair: box asked for. The message names it and what moved. Look at the side chain before you trust a pose that touches it; another entry, or a model that you have minimised, may be better.
         *
         *     `RECEPTOR_LOW_CONFIDENCE`: The receptor is a prediction (AlphaFold, ESMFold, Boltz) with residues in the box whose pLDDT is below 50: their places are as good as unknown. The message names them. Take poses that touch these residues for guesses; use a crystal structure, or another box.
         *
         *     `RESIDUE_RENAMED`: Residues under names of a program were read as the amino acids whose atoms and bonds they have, in the state that their hydrogens show; the message names them. Check these residues; fixedProtonationStates sets another state.
         *
         *     `METAL_TYPE_SUBSTITUTED`: A retained metal has no atom type of its own, and is docked against with that of a similar metal, which the message names. Read scores near this metal with care: Vina scores all metals alike.
         *
         *     `COFACTOR_REMOVED`: A metal or larger molecule near the box was removed from the receptor. Keep the component with retainComponents if it matters.
         *
         *     `COVALENT_COMPONENT_REMOVED`: A component that is bound to the receptor, such as a sugar, was removed. Name the component in retainComponents if it matters.
         *
         *     `COMPONENT_NOT_FOUND`: A component or residue that was to be removed or kept could not be, or is kept anyway; the message says why. Check the component or residue against the file.
         *
         *     `WATER_IN_BOX`: Waters of the structure matter where ligands are docked: retained ones take room there, or removed ones held the ligand of the crystal. The message names the waters. Decide with retainResidues, removeResidues and retainWatersWithin which waters are kept.
         *
         *     `PREPARED_RECEPTOR_STALE`: The preparedReceptor that was sent belongs to another receptor, preparation or toolchain; it was not used. Send the preparedReceptor of a job with the same receptor and preparation, or leave it out.
         *
         *     `POCKET_OCCUPIED`: A component that is retained lies where ligands are docked, so that they cannot take its place. Take the component out of retainComponents or retainResidues, unless it belongs to the pocket.
         *
         *     `BOX_LARGE`: The box is larger than 27,000 Å³, and poses may be missed. Raise exhaustiveness, or make the box smaller.
         *
         *     `PROTONATION_AMBIGUOUS`: A histidine in the box has another form that is as plausible as the one that it got; the message names both. Fix the form that you mean with fixedProtonationStates, or dock into each.
         *
         *     `PROTONATION_STATE_CHANGED`: Some residues of the receptor have no template for their state and got other hydrogens; the message names them. Look at the residues that lie near the box.
         *
         *     `RECEPTOR_CLOSE_CONTACT`: Atoms of the receptor lie closer than they can; the message names them. Look at the place when it is near the box.
         *
         *     `RECEPTOR_END_MISSING`: The file has no END record, so it may have been cut off. Compare the file with its source.
         *
         *     `RECEPTOR_ATOMS_FEWER_THAN_DECLARED`: The file says that it has more atoms than are there: it was edited or lost a part. Send the file whole, or make sure that the part that is gone does not matter.
         *
         *     `STEREO_UNSPECIFIED`: A stereo centre of the ligand is not given; one isomer was chosen, the same one each time, or with preparation.states likely each was docked. Send the isomer that you mean, or ask for each by preparation.states likely (--states likely).
         *
         *     `STEREO_RELATIVE`: The labels of the ligand stand for a racemate, or for one of two mirror images; the isomer that is drawn was docked, or with preparation.states likely both. Ask for both by preparation.states likely (--states likely), or send both.
         *
         *     `STATES_PRICED`: Ligands are docked in their likely states, whose number shows when they are prepared: the price of 16 states each is held, and each ligand is charged by the states that it has. A dry run of a batch tells the states and what they cost.
         *
         *     `STATES_LIMITED`: The ligand has more likely states than are docked of one: at most 8 isomers of a form, 16 states in all. The likeliest were docked; the message has the number that there are on paper. Draw the stereo that is known, so that fewer isomers are open.
         *
         *     `STEREO_AXIS_OPEN`: The ligand has a chiral axis, of an allene or of two rings that cannot turn, of which one form was docked. Compare the docked form with the one that you mean; a molfile with its places gives the form that you have.
         *
         *     `LIGAND_DESALTED`: A known salt or solvent beside the ligand was taken away; the message names it. Check that the molecule that is left is the one that you mean.
         *
         *     `LIGAND_USED_AS_IS`: The ligand came as PDBQT and is docked as it is: no desalting, protonation or fresh conformation. Send SDF or SMILES to have the ligand prepared.
         *
         *     `PROTONATION_NOT_APPLIED`: The charges for the pH could not be set, and the ligand is docked as it was given. Check the charges of the ligand, and send the state that you mean.
         *
         *     `PROTONATION_NEAR_PKA`: A group of the ligand has its pKa within one unit of the pH, so both states occur; the message names the other one. To dock the other state too, ask for both by preparation.states likely (--states likely), or send its SMILES with preparation.protonation as_given.
         *
         *     `PROTONATION_DOUBTFUL`: The pKa of a group of the ligand is only the mean of a class that spreads over the pH, or its proton is on a carbon, which keeps it here. Check the state in the message against a measured value, and send the state that you mean with preparation.protonation as_given, or the enol that the message names.
         *
         *     `PROTONATION_UNCERTAIN`: The state of a group of the ligand rests on no measured value: its pKa is the mean of a class that spreads by more than one unit, or nothing decides it. The message names the atom and the reason. Check the state against a measured value, and send the state that you mean with preparation.protonation as_given.
         *
         *     `TAUTOMER_UNLIKELY`: The ligand was sent, and docked, in a tautomer that makes up less than a tenth of it in water; the message has the likely form and the source. Send the likely form, or ask for it by preparation.tautomer likely (--tautomer likely).
         *
         *     `TAUTOMER_CHANGED`: The ligand was sent in a tautomer that hardly occurs in water and was docked in its likely form, as preparation.tautomer likely asks for. To dock what was sent, leave preparation.tautomer out.
         *
         *     `MACROCYCLE_RIGID`: Only one shape of a large ring could be built, and the ligand was docked in that one; Vina does not bend rings. Doubt a poor score: another shape of the ring may fit better.
         *
         *     `ISOTOPES_IGNORED`: Isotopes make no difference to docking; the ordinary atoms were used. Send the ligand without isotope labels to avoid the warning.
         *
         *     `BORON_AS_CARBON`: Vina has no type of its own for boron; it is treated as carbon. Take the score of this ligand as a rough one.
         *
         *     `FORCE_FIELD_MISSING`: Neither MMFF nor UFF knows every atom of the ligand; its starting conformation was not refined. Check bond lengths and angles of the poses.
         *
         *     `POSE_IMPLAUSIBLE`: The best pose of a ligand fails checks of PoseBusters: it overlaps with the receptor or is no likely shape of the molecule. The message names the checks. Look at the modes that pass, or at a larger search.
         *
         *     `POSE_DISPUTED`: The other scoring function puts the best pose of a ligand far behind another of its poses. The message names both. Look at both poses before you believe either.
         *
         *     `AFFINITY_POSITIVE`: The best score is above zero: the ligand does not fit into the box. Check the place and the size of the box; otherwise take the ligand as one that does not bind.
         *
         *     `CONTROL_FAILED`: The control docking of the native ligand could not be done; the ligands are not affected. Correct what the message names when you need the control.
         *
         *     `CONTROL_RMSD_HIGH`: The control docking puts the native ligand more than 2.0 Å from where it was found. Be wary of the poses, and try a larger search or another preparation.
         *
         *     `NAME_NOT_EXACT`: No component is called what was asked for; the candidates only have it in their names. Check that a candidate is the molecule that you mean, or send its SMILES.
         *
         *     `CANDIDATES_CUT`: More components have such a name than are shown. Ask for more of the name.
         *
         *     `DICTIONARY_MISSING`: The service that answered has no component dictionary, so only SMILES were looked for. Send SMILES.
         *
         *     `CHARGE_NOT_COMPUTED`: The charge of a candidate at the pH was not computed in time, or cannot be there. Submit the ligand as it is: the preparation of the job decides its charge.
         *
         *     `POCKETS_NONE_FOUND`: The search found no pocket, which is a result: the list in pockets.json is empty. Small peptides and flat surfaces have none. Check the chains and the assembly when you expected some.
         *
         *     `POCKETS_CLOCK_NOT_FIXED`: The clock that seeds the volumes of fpocket could not be fixed on the instance, so volumes differ a little between two runs. Compare scores and residues, which do not depend on the clock, rather than volumes.
         *
         *     `POCKETS_COMPONENTS_KEPT`: The components that the message names count to the structure, so that no pocket is found where they are. Keep that for cofactors. Take a ligand out of the file, or write it as HETATM, to find its pocket.
         *
         *     `QUERY_GAPS_REMOVED`: Gaps were left out of queries, because a search aligns sequences without gaps. Nothing is to be done. Places in the hits count letters, not gaps.
         *
         *     `QUERY_MASKED_LETTERS`: X was read as N in nucleotide queries, because programs that mask vectors write X. Nothing is to be done, unless X meant something else.
         *
         *     `QUERY_TITLE_CUT`: A query has a title of more than 4,096 characters, which was cut. Nothing is to be done. Names are the first words of titles, and stay whole where they are shorter.
         *
         *     `DATABASE_ID_REPEATED`: Sequences of the database have one id, which is the first word after >; the message names the first that comes again. Give each sequence an id of its own where hits.tsv must tell them apart; hits.json and alignments.txt have the whole titles.
         *
         *     `DATABASE_RECORD_EMPTY`: Records of the database have no sequence and were left out; the message names the first. Look whether the file of the database is whole.
         *
         *     `BLAST_HITS_FEW`: The field blastMaxHits is below 5, and a search that keeps so few may leave out better hits than those that it keeps. Ask for 5 or more, and take the first of them.
         *
         *     `QUERY_REPEATED`: Queries of the same name and sequence were each searched. Leave repeats out; each costs as much as the first.
         */
        WarningCode: "PARAMETER_UNUSED" | "LIBRARY_NAME_REPEATED" | "LIBRARY_PROPERTIES_LEFT_OUT" | "FORECAST_NOT_COVERED" | "SPOT_NOT_OFFERED" | "SPOT_PRICED" | "RECEPTOR_REPAIRED" | "POCKET_REPAIRED" | "RECEPTOR_LOW_CONFIDENCE" | "RESIDUE_RENAMED" | "METAL_TYPE_SUBSTITUTED" | "COFACTOR_REMOVED" | "COVALENT_COMPONENT_REMOVED" | "COMPONENT_NOT_FOUND" | "WATER_IN_BOX" | "PREPARED_RECEPTOR_STALE" | "POCKET_OCCUPIED" | "BOX_LARGE" | "PROTONATION_AMBIGUOUS" | "PROTONATION_STATE_CHANGED" | "RECEPTOR_CLOSE_CONTACT" | "RECEPTOR_END_MISSING" | "RECEPTOR_ATOMS_FEWER_THAN_DECLARED" | "STEREO_UNSPECIFIED" | "STEREO_RELATIVE" | "STATES_PRICED" | "STATES_LIMITED" | "STEREO_AXIS_OPEN" | "LIGAND_DESALTED" | "LIGAND_USED_AS_IS" | "PROTONATION_NOT_APPLIED" | "PROTONATION_NEAR_PKA" | "PROTONATION_DOUBTFUL" | "PROTONATION_UNCERTAIN" | "TAUTOMER_UNLIKELY" | "TAUTOMER_CHANGED" | "MACROCYCLE_RIGID" | "ISOTOPES_IGNORED" | "BORON_AS_CARBON" | "FORCE_FIELD_MISSING" | "POSE_IMPLAUSIBLE" | "POSE_DISPUTED" | "AFFINITY_POSITIVE" | "CONTROL_FAILED" | "CONTROL_RMSD_HIGH" | "NAME_NOT_EXACT" | "CANDIDATES_CUT" | "DICTIONARY_MISSING" | "CHARGE_NOT_COMPUTED" | "POCKETS_NONE_FOUND" | "POCKETS_CLOCK_NOT_FIXED" | "POCKETS_COMPONENTS_KEPT" | "QUERY_GAPS_REMOVED" | "QUERY_MASKED_LETTERS" | "QUERY_TITLE_CUT" | "DATABASE_ID_REPEATED" | "DATABASE_RECORD_EMPTY" | "BLAST_HITS_FEW" | "QUERY_REPEATED" | (string & {});
        /** @description Reference to a verified stored artifact. */
        ArtifactReference: {
            /**
             * @description Constant that names the version of this reference.
             * @enum {string}
             */
            schema: "svc.docking.artifact/v1";
            /** @description Id of the stored artifact, 1 to 128 characters. */
            artifactId: string;
            /** @description Storage key of the artifact; this field decides which object is meant. */
            storageKey: string;
            /** @description SHA-256 of the object, 64 lowercase hex characters. */
            sha256: string;
            /** @description Size of the object in bytes. */
            byteSize: number;
            /** @description Media type of the object, 1 to 255 characters. */
            mediaType: string;
            /**
             * @description Format of the object.
             * @enum {string}
             */
            format: "pdb" | "mmcif" | "pdbqt" | "sdf" | "mol2" | "json" | "log";
        };
        /** @description Reference to a verified stored artifact; one of a library in smi or csv is named by its artifactId. */
        RegisteredArtifact: {
            /**
             * @description Constant that names the version of this reference.
             * @enum {string}
             */
            schema: "svc.docking.artifact/v1";
            /** @description Id of the stored artifact, 1 to 128 characters. */
            artifactId: string;
            /** @description SHA-256 of the object, 64 lowercase hex characters. */
            sha256: string;
            /** @description Storage key of the artifact; this field decides which object is meant. */
            storageKey: string;
            /** @description Size of the object in bytes. */
            byteSize: number;
            /** @description Media type of the object, 1 to 255 characters. */
            mediaType: string;
            /** @description Format of the object. */
            format: "pdb" | "mmcif" | "pdbqt" | "sdf" | "mol2" | "json" | "log" | "smi" | "csv" | (string & {});
        };
        /** @description A residue of the receptor: residueName, or chain and residue, or all of them. What stands for several residues is refused with a list of them, but where residues are kept or removed: there it means all of them. */
        ResidueReference: {
            /** @description Name of the residue or component, 1 to 8 characters; with chain and residue it must agree with the structure. */
            residueName?: string;
            /** @description Author chain id of the structure, 1 to 16 characters. */
            chain?: string;
            /** @description Author residue number in the chain. */
            residue?: number;
            /** @description Author insertion code of the residue, at most 4 characters. */
            insertionCode?: string;
        };
        /** @description A ligand: its id, its structure and how it is prepared. */
        LigandIdentity: {
            /** @description Your id of the ligand, unique within a library, 1 to 128 characters. */
            ligandId: string;
            /** @description Name shown to people, 1 to 512 characters. */
            label: string;
            /** @description Where the structure of the ligand comes from: a component id, a SMILES or a stored artifact. */
            source: {
                /**
                 * @description Which kind of source this is.
                 * @enum {string}
                 */
                kind: "ccd";
                /** @description Component id of the Chemical Component Dictionary, 1 to 8 letters or digits. */
                componentId: string;
            } | {
                /**
                 * @description Which kind of source this is.
                 * @enum {string}
                 */
                kind: "smiles";
                /** @description SMILES of the ligand, 1 to 4096 characters. */
                smiles: string;
            } | {
                /**
                 * @description Which kind of source this is.
                 * @enum {string}
                 */
                kind: "artifact";
                /** @description Stored structure file of the ligand. */
                artifact: components["schemas"]["ArtifactReference"];
            };
            /** @description Proof that this ligand was resolved and shown (POST /molecular/docking/ligands/resolve). Checked when it is sent: a token that is not genuine, has expired, or was made for another account, query or ligand is refused with LIGAND_CONFIRMATION_INVALID. */
            confirmation?: {
                /** @description resolutionToken of the candidate, 32 to 8192 characters; good for 24 hours. */
                token: string;
                /** @description The query as it was resolved, 1 to 512 characters. */
                query: string;
                /** @description sourceId of the candidate, 1 to 128 characters. */
                sourceId: string;
            };
            /** @description How the ligand is prepared. */
            preparation?: {
                /**
                 * @description pH at which the ligand is protonated, 0 to 14.
                 * @default 7.4
                 */
                protonationPh?: number;
                /**
                 * @description model (the default): charges are computed for the pH; as_given: charges and hydrogens stay as they were sent.
                 * @enum {string}
                 */
                protonation?: "model" | "as_given";
                /**
                 * @description as_sent (the default): the ligand is docked in the tautomer that was sent; likely: where that hardly occurs in water, in the one that does. Not with protonation as_given.
                 * @enum {string}
                 */
                tautomer?: "as_sent" | "likely";
                /**
                 * @description single (the default): the ligand is docked in one state, with one isomer of what its stereo leaves open; likely: in each likely one, and the best by score and cost is the result: up to 8 open isomers (both of a racemate), both forms of each group whose pKa is within one unit of the pH, likely tautomers; up to 16 in all. Not with protonation as_given.
                 * @enum {string}
                 */
                states?: "single" | "likely";
                /**
                 * @description Hydrogens are always added.
                 * @default true
                 * @enum {boolean}
                 */
                addHydrogens?: true;
                /**
                 * @description Coordinates are always generated.
                 * @default true
                 * @enum {boolean}
                 */
                generate3d?: true;
            };
        };
        /** @description How the receptor is prepared. */
        ReceptorPreparation: {
            /**
             * @description pH at which the receptor is protonated, 0 to 14.
             * @default 7.4
             */
            protonationPh?: number;
            /**
             * @description Hydrogens are always added.
             * @default true
             * @enum {boolean}
             */
            addHydrogens?: true;
            /**
             * @description Method that sets protonation states.
             * @default pdb2pqr-propka
             * @enum {string}
             */
            protonationMethod?: "pdb2pqr-propka" | "meeko";
            /**
             * @description Force field for partial charges, which the scoring functions here do not use.
             * @default AMBER
             * @enum {string}
             */
            forceField?: "AMBER" | "CHARMM" | "PARSE";
            /**
             * @description Protonation states to keep, at most 256, each residue once; a blank insertion code is the same as none.
             * @default []
             */
            fixedProtonationStates?: {
                /** @description Author chain id of the structure, 1 to 16 characters. */
                chain?: string;
                /** @description Author residue number in the chain. */
                residue?: number;
                /**
                 * @description Residue name, which must agree with the structure.
                 * @enum {string}
                 */
                residueName: "ASP" | "GLU" | "HIS" | "LYS" | "CYS" | "TYR";
                /**
                 * @description Protonation state to keep. ASP, GLU, CYS and TYR can be anionic or neutral, LYS cationic or neutral; HIS has hydrogen on ND1 (delta), NE2 (epsilon) or both.
                 * @enum {string}
                 */
                state: "anionic" | "neutral" | "cationic" | "delta" | "epsilon" | "both";
                /** @description Author insertion code of the residue, at most 4 characters. */
                insertionCode?: string;
                /** @description Why the state is fixed, 1 to 512 characters; kept in the report. */
                reason?: string;
            }[];
            /**
             * @description Component ids to remove from the receptor, at most 256; none that is to be retained.
             * @default []
             */
            removeComponents?: string[];
            /**
             * @description Component ids to keep in the receptor, at most 256; none that is to be removed.
             * @default []
             */
            retainComponents?: string[];
            /** @description Residues to remove from the receptor, at most 256, whatever they are; none that is to be retained. */
            removeResidues?: components["schemas"]["ResidueReference"][];
            /** @description Residues to keep in the receptor, at most 256, such as one water or one ion; none that is to be removed. */
            retainResidues?: components["schemas"]["ResidueReference"][];
            /** @description Waters of the structure that stay because they are near; ligand needs one that is named. */
            retainWatersWithin?: {
                /** @description Largest distance of a water, in Å, 0 to 10; 0 from the box is inside it. */
                angstrom: number;
                /**
                 * @description What the distance is from: the box, or the heavy atoms of pocketLigand, else of the native reference.
                 * @enum {string}
                 */
                of: "box" | "ligand";
            };
            /** @description Residues whose side chains turn while ligands are docked, at most 4, each once and none that is to be removed; each heavy atom of the side chain must be in the box. A search takes several times as long with each. */
            flexibleResidues?: {
                /** @description Author chain id of the structure, 1 to 16 characters. */
                chain?: string;
                /** @description Author residue number in the chain. */
                residue?: number;
                /** @description Author insertion code of the residue, at most 4 characters. */
                insertionCode?: string;
                /**
                 * @description Residue name, which must agree with the structure; ALA, GLY and PRO have no side chain that turns.
                 * @enum {string}
                 */
                residueName?: "ARG" | "ASN" | "ASP" | "CYS" | "GLN" | "GLU" | "HIS" | "ILE" | "LEU" | "LYS" | "MET" | "PHE" | "SER" | "THR" | "TRP" | "TYR" | "VAL";
            }[];
            /**
             * @description What becomes of a residue that cannot be as it stands: far (the default) builds its side chain anew, cuts it to alanine or leaves the residue out more than 4 Å from the box (outside of it where atoms of the backbone are missing) and refuses it nearer; box builds and cuts side chains in the box, too; none refuses it anywhere.
             * @enum {string}
             */
            repair?: "none" | "far" | "box";
        };
        /** @description Control dockings that accompany the job. */
        DockingValidation: {
            /** @description A ligand of the deposited structure that is docked again and compared; not charged. Chain and residue tell it from other copies. */
            nativeReference?: {
                /** @description Component id of the deposited ligand, 1 to 8 letters or digits. */
                componentId: string;
                /** @description Author chain id of the structure, 1 to 16 characters. */
                chain?: string;
                /** @description Author residue number in the chain. */
                residue?: number;
                /** @description Author insertion code of the residue, at most 4 characters. */
                insertionCode?: string;
            };
            /** @description Ends the job before any ligand is docked where the best pose of the native ligand lies farther from its deposited place, in Å, above 0 and up to 20; then only the start fee is charged. Needs nativeReference. */
            requiredRmsdAngstrom?: number;
        };
        /** @description How docking is spread and what it reuses. */
        DockingExecution: {
            /**
             * @description Number of ligands that one activity carries, 1 to 10.
             * @default 1
             */
            shardSize?: number;
            /** @description A receptor prepared before; used when every digest equals that of the job. */
            preparedReceptor?: {
                /** @description Key of the prepared receptor, SHA-256 as 64 lowercase hex characters. */
                cacheKey: string;
                /** @description Digest of the receptor identity, SHA-256 as 64 lowercase hex characters. */
                receptorIdentitySha256: string;
                /** @description Digest of the preparation options, SHA-256 as 64 lowercase hex characters. */
                preparationSha256: string;
                /** @description Digest of the tools that prepared it, SHA-256 as 64 lowercase hex characters. */
                toolchainSha256: string;
                /** @description Digest of the worker image, sha256: followed by 64 lowercase hex characters. */
                workerImageDigest: string;
                /** @description The prepared receptor itself. */
                artifact?: components["schemas"]["ArtifactReference"];
            };
        };
        /** @description Validated simulator parameters; which ones matter depends on the simulator. */
        SimulationParams: {
            /** @description PDB id of the receptor: a digit and three letters or digits. Used by autodock-vina and fpocket. */
            receptorPdbId?: string;
            /** @description Stored structure file of the receptor. With autodock-vina pdb or mmcif. Used by autodock-vina and fpocket. */
            receptorArtifact?: components["schemas"]["ArtifactReference"];
            /** @description Biological assembly of the receptor, 1 to 32 characters; absent means 1. Used by autodock-vina and fpocket. */
            receptorAssemblyId?: string;
            /** @description Model number in the structure file, counted from 1. Used by autodock-vina and fpocket. */
            receptorModel?: number;
            /** @description Author chain ids to keep, 1 to 128; absent means all. Used by autodock-vina and fpocket. */
            receptorChains?: string[];
            /** @description The one ligand to dock. Used by autodock-vina. */
            ligandIdentity?: components["schemas"]["LigandIdentity"];
            /** @description Ligands to dock, 1 to 10000, one task each, in place of a single ligandIdentity; no two may have the same ligandId. Used by autodock-vina. */
            ligandLibrary?: components["schemas"]["LigandIdentity"][];
            /** @description How the receptor is prepared. Used by autodock-vina. */
            receptorPreparation?: components["schemas"]["ReceptorPreparation"];
            /** @description Control dockings that accompany the job. Used by autodock-vina. */
            dockingValidation?: components["schemas"]["DockingValidation"];
            /** @description How docking is spread and what it reuses. Used by autodock-vina. */
            dockingExecution?: components["schemas"]["DockingExecution"];
            /** @description Component id of the deposited ligand whose place is the box centre, 1 to 8 characters. Used by autodock-vina. */
            pocketLigand?: string;
            /** @description Author chain id of the pocket ligand, 1 to 16 characters; a job needs pocketLigand beside it. Used by autodock-vina. */
            pocketLigandChain?: string;
            /** @description Author residue number of the pocket ligand; a job needs pocketLigand beside it. Used by autodock-vina. */
            pocketLigandResidue?: number;
            /** @description Author insertion code of the pocket ligand, at most 4 characters; a job needs pocketLigand beside it. Used by autodock-vina. */
            pocketLigandInsertionCode?: string;
            /** @description Residues whose middle is the box centre, 1 to 256. Used by autodock-vina. */
            pocketResidues?: components["schemas"]["ResidueReference"][];
            /** @description Centre of the box: x, y and z in Å. Used by autodock-vina. */
            boxCenterAngstrom?: [
                number,
                number,
                number
            ];
            /** @description Size of the box in Å: one edge or three, each 1 to 100. Used by autodock-vina. */
            boxSizeAngstrom?: number | [
                number,
                number,
                number
            ];
            /** @description Number of independent searches per ligand, 1 to 128. With autodock-vina a ligand with rings of 5 to 9 atoms that bend is docked in up to 8 shapes of them, all together searched at most twice as long, for the price of any other ligand of its size. Used by autodock-vina. */
            exhaustiveness?: number;
            /** @description Number of binding modes to keep per ligand, 1 to 100. Used by autodock-vina. */
            numModes?: number;
            /** @description Largest energy above the best mode in kcal/mol, 0.1 to 100. Used by autodock-vina. */
            energyRangeKcalMol?: number;
            /**
             * @description Function that scores poses; absent means vina. Scores of different functions cannot be compared. Used by autodock-vina.
             * @enum {string}
             */
            scoringFunction?: "vina" | "vinardo";
            /** @description Random seed, a number without unit; 0 or absent: one is drawn and stored. Used by autodock-vina. */
            seed?: number;
            /** @description Number of CPU threads to use, 1 to 256. */
            cpuThreads?: number;
            /** @description Expected run time of a task in seconds, above 0, at most 2592000. Used by autodock-vina. */
            estimatedRuntimeSeconds?: number;
            /**
             * @description Number of ranked pockets to return, 1 to 20. Used by fpocket.
             * @default 10
             */
            maxPockets?: number;
            /**
             * @description Model that predicts the structure.
             * @enum {string}
             */
            foldModel?: "esmfold" | "alphafold";
            /** @description Path of the database within the uploaded data set, 1 to 1024 characters. Used by blastp and blastn. */
            blastDatabasePath?: string;
            /** @description Name of the database, 1 to 128 characters. Used by blastp and blastn. */
            blastDatabaseName?: string;
            /** @description Version of the database, 1 to 128 characters. Used by blastp and blastn. */
            blastDatabaseVersion?: string;
            /**
             * Format: date
             * @description Date of the database, YYYY-MM-DD: a day of the calendar. Used by blastp and blastn.
             */
            blastDatabaseDate?: string;
            /**
             * @description Whether the database holds proteins or nucleotides. Used by blastp and blastn.
             * @enum {string}
             */
            blastDatabaseType?: "prot" | "nucl";
            /** @description SHA-256 of the database, 64 hex characters of either case. Used by blastp and blastn. */
            blastDatabaseChecksum?: string;
            /** @description Largest expectation value of a hit, a number without unit, 1e-300 to 1000. Used by blastp and blastn. */
            blastEvalue?: number;
            /** @description Number of hits to report per query, 1 to 1000. Used by blastp and blastn. */
            blastMaxHits?: number;
            /** @description Number of CPU threads to use, 1 to 64. Used by blastp and blastn. */
            blastThreads?: number;
            /** @description Time limit of the search in seconds, 1 to 86400. Used by blastp and blastn. */
            blastTimeoutSeconds?: number;
            /** @description Largest report in bytes, 1024 to 67108864. Used by blastp and blastn. */
            blastMaxOutputBytes?: number;
        };
        /** @description A job to run. */
        SubmitJobRequest: {
            /**
             * @description Kind of the job; pipeline is refused unless it is enabled.
             * @default render
             * @enum {string}
             */
            jobType?: "render" | "simulation" | "molecular" | "pipeline";
            /** @description Storage key of the scene file or input data, as an upload answered it, 1 to 2048 characters. */
            sceneFile?: string;
            /** @description What happens to tasks whose instance is lost. */
            recovery?: {
                /**
                 * @description standard: on-demand instances, and a task is given up when it has lost four; resumable: spot instances where the service offers such, which cost less and may be taken away, and after a while without one an instance on demand at the same price; lost instances are replaced as long as the job lives, at growing pauses.
                 * @default standard
                 * @enum {string}
                 */
                mode?: "standard" | "resumable";
            };
            /** @description Frame number of the first frame, inclusive; for render jobs, unused in others. */
            frameStart?: number;
            /** @description Frame number of the last frame, inclusive; for render jobs, unused in others. */
            frameEnd?: number;
            /** @description Parameters of the job bundle, at most 1000: text keys and text values, each of any length. */
            parameters?: {
                [key: string]: string;
            };
            /** @description Simulator id: autodock-vina, fpocket, blastp, blastn, alphafold, esmfold, swan or wavewatch3; common aliases are accepted; required for simulation jobs, unused in others. */
            simulator?: string;
            /** @description Number of independent parallel tasks; for simulation jobs, unused in others. With autodock-vina at most 10000, where it equals the number of ligands. */
            taskCount?: number;
            simulationParams?: components["schemas"]["SimulationParams"];
            /**
             * @description Render every Nth frame: number of frames from one rendered frame to the next; only rendered frames are charged; for render jobs, unused in others.
             * @default 1
             */
            frameStep?: number;
            /**
             * @description File format of rendered frames; for render jobs, unused in others.
             * @enum {string}
             */
            outputFormat?: "EXR" | "PNG" | "JPEG";
            /** @description Idempotency key, 8 to 255 characters; must agree with the Idempotency-Key header when both are sent. */
            idempotencyKey?: string;
            /** @description The docking run that this job executes. */
            dockingRequest?: {
                /** @description Id of the docking request, 1 to 255 characters. */
                requestId: string;
                /** @description Id of the docking run, 1 to 255 characters. */
                runId: string;
                /** @description Idempotency key of the docking request, 8 to 255 characters. */
                idempotencyKey: string;
            };
            /** @description Metadata of the job; unknown keys are kept for plugins and workers. */
            metadata?: {
                /** @description Render host or engine; decides which script runs and which price applies. */
                software?: string;
                /** @description Engine that is used when software is not set. */
                renderer?: string;
                /**
                 * @deprecated
                 * @description Ignored: the service chooses the instance type.
                 */
                instanceType?: string;
                /** @description Expected render time of a frame in minutes. */
                renderTimeMinutes?: number;
                /** @description Expected run time of a task in minutes. */
                taskRuntimeMinutes?: number;
                /** @description Size of inputs and outputs together in GB; an estimate counts with it where the price depends on sizes. */
                totalSizeGB?: number;
                /** @description Size of the picture in pixels, WIDTHxHEIGHT; for molecular jobs, unused in others. */
                resolution?: string;
                /** @description Frame rate in frames per second; for molecular jobs, unused in others. */
                fps?: number;
                /**
                 * @description molstar: raster; cycles: ray-traced; for molecular jobs, unused in others.
                 * @enum {string}
                 */
                renderEngine?: "molstar" | "cycles";
                /** @description Number of samples per frame with cycles. */
                samples?: number;
            } & {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /**
             * @deprecated
             * @description Ignored: a number without unit; the plan of the account decides.
             */
            priority?: number;
            /** @description Quote of an estimate of this job, 32 to 16384 characters: the job has its price and exchange rate. Refused when a field that decides the price differs, or after quoteExpiresAt. */
            quoteId?: string;
            /** @description Name shown to people, at most 1024 characters. */
            jobName?: string;
            /** @description Storage keys of further files that the scene refers to, at most 10000. */
            attachments?: string[];
        };
        /** @description The accepted job. */
        SubmitJobResponse: {
            /**
             * Format: uuid
             * @description Id of the job, for status, outputs and cancel.
             */
            jobId: string;
            /** @description Kind of the job, as sent. */
            jobType: "render" | "simulation" | "molecular" | "pipeline" | (string & {});
            /** @description Estimated cost in units of currency. */
            estimatedCost: number;
            /** @description Currency of estimatedCost. */
            currency: string;
            /**
             * @description State of the job: always SUBMITTED at first.
             * @enum {string}
             */
            status: "SUBMITTED";
            /** @description Where the job runs. */
            provider: string;
            /** @description True when this is the stored answer of an earlier request with the same key. */
            idempotentReplay?: boolean;
            /** @description What is held, the most that the job can cost, and which fields it does not use. */
            message: string;
            /** @description Currency of credits. */
            creditCurrency: string;
            /** @description Exchange rate: units of creditCurrency per unit of currency, frozen for this job. */
            fxRate: number;
            /** @description Credits held for the job, in pence: the whole price where prices are fixed, which is the most that it can cost; a fifth more than the estimate where seconds are measured, which is extended when tasks take longer. */
            heldCents: number;
        };
        /** @description A job to price. */
        EstimateJobRequest: {
            /**
             * @description Kind of the job.
             * @default render
             * @enum {string}
             */
            jobType?: "render" | "simulation" | "molecular";
            /** @description What happens to tasks whose instance is lost. */
            recovery?: {
                /**
                 * @description standard: on-demand instances, and a task is given up when it has lost four; resumable: spot instances where the service offers such, which cost less and may be taken away, and after a while without one an instance on demand at the same price; lost instances are replaced as long as the job lives, at growing pauses.
                 * @default standard
                 * @enum {string}
                 */
                mode?: "standard" | "resumable";
            };
            /** @description Frame number of the first frame, inclusive; for render jobs, unused in others. */
            frameStart?: number;
            /** @description Frame number of the last frame, inclusive; for render jobs, unused in others. */
            frameEnd?: number;
            /** @description Parameters of the job bundle, at most 1000: text keys and text values, each of any length. */
            parameters?: {
                [key: string]: string;
            };
            /** @description Simulator id: autodock-vina, fpocket, blastp, blastn, alphafold, esmfold, swan or wavewatch3; common aliases are accepted; required for simulation jobs, unused in others. */
            simulator?: string;
            /** @description Number of independent parallel tasks; for simulation jobs, unused in others. With autodock-vina at most 10000, where it equals the number of ligands. */
            taskCount?: number;
            simulationParams?: components["schemas"]["SimulationParams"];
            /**
             * @description Render every Nth frame: number of frames from one rendered frame to the next; for render jobs, unused in others.
             * @default 1
             */
            frameStep?: number;
            /** @description Metadata of the job; known keys only. */
            metadata?: {
                /** @description Render host or engine; decides which script runs and which price applies. */
                software?: string;
                /** @description Engine that is used when software is not set. */
                renderer?: string;
                /**
                 * @deprecated
                 * @description Ignored: the service chooses the instance type.
                 */
                instanceType?: string;
                /** @description Expected render time of a frame in minutes. */
                renderTimeMinutes?: number;
                /** @description Expected run time of a task in minutes. */
                taskRuntimeMinutes?: number;
                /** @description Size of inputs and outputs together in GB; an estimate counts with it where the price depends on sizes. */
                totalSizeGB?: number;
                /** @description Size of the picture in pixels, WIDTHxHEIGHT; for molecular jobs, unused in others. */
                resolution?: string;
                /** @description Frame rate in frames per second; for molecular jobs, unused in others. */
                fps?: number;
                /**
                 * @description molstar: raster; cycles: ray-traced; for molecular jobs, unused in others.
                 * @enum {string}
                 */
                renderEngine?: "molstar" | "cycles";
                /** @description Number of samples per frame with cycles. */
                samples?: number;
            };
        };
        /** @description The price of the job. */
        EstimateJobResponse: {
            /** @description Estimated cost, in units of currency. */
            estimatedCost: number;
            /** @description Currency of the estimate. */
            currency: string;
            /** @description Whether a licence fee is part of it. */
            hasLicenseFee?: boolean;
            /** @description Licences that are paid for. */
            licenseNames?: string[];
            /** @description Parts of the estimate. */
            breakdown?: {
                /** @description Cost of compute, in units of currency. */
                compute: number;
                /** @description Cost of software licences, in units of currency. */
                software: number;
                /** @description Cost of storage, in units of currency. */
                storage: number;
                /** @description Cost of downloads, in units of currency. */
                egress: number;
                /** @description Fee for starting the job, in units of currency. */
                startFee: number;
            };
            /** @description Rates that the estimate uses. */
            variableRates?: {
                /** @description Rate of the hardware, in units of currency per hour. */
                hardwareRate: number;
                /** @description Rate of downloads, in units of currency per GB. */
                egressRate: number;
            };
            /** @description Credits that submitting would hold, in pence. */
            heldCents: number;
            /** @description The most that the job is charged for what is held now, in pence. A job that is priced by measured seconds holds more when its tasks take longer than estimated, within the credits and limits of the account, or pauses. */
            ceilingCents: number;
            /** @description Currency of credits. */
            creditCurrency: string;
            /** @description Exchange rate: units of creditCurrency per unit of currency. */
            fxRate: number;
            /** @description Who gave the exchange rate: the host of the source, or the price book; null where nothing is converted. */
            fxSource: string | null;
            /** @description The day for which the exchange rate was given, as YYYY-MM-DD; null where fxSource is. */
            fxDate: string | null;
            /** @description What the job would be warned of at once. */
            warnings: {
                /** @description Machine-readable warning. */
                code: components["schemas"]["WarningCode"];
                /** @description Warning for people. */
                message: string;
            }[];
            /** @description The quote: send it with the submit, and the job has this price and this exchange rate. */
            quoteId: string;
            /**
             * Format: date-time
             * @description Until when the quote is taken.
             */
            quoteExpiresAt: string;
        };
        /** @description A page of jobs. */
        JobListResponse: {
            /** @description Jobs, newest first. */
            jobs: {
                /**
                 * Format: uuid
                 * @description Id of the job.
                 */
                jobId: string;
                /** @description Kind of the job. */
                jobType: "render" | "simulation" | "molecular" | "pipeline" | (string & {});
                /** @description Name of the job. */
                jobName: string | null;
                /** @description State of the job. */
                status: components["schemas"]["JobState"];
                /** @description Simulator of the job. */
                simulator: string | null;
                /** @description How much is done, in percent. */
                progressPercent: number;
                /** @description Estimated cost, in units of currency. */
                estimatedCost: number;
                /** @description Currency of estimatedCost. */
                currency: string;
                /** @description Credits charged so far, in minor units of creditCurrency (pence). */
                chargedCents: number;
                /** @description Currency of credits. */
                creditCurrency: string;
                /**
                 * Format: date-time
                 * @description When the job was accepted.
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When the job last changed.
                 */
                updatedAt: string;
                /**
                 * Format: date-time
                 * @description When the job ended; null before.
                 */
                finishedAt: string | null;
            }[];
            /** @description Pass it back as cursor to get the next page; null at the end. */
            nextCursor: string | null;
        };
        /** @description How a job stands. */
        JobStatusResponse: {
            /**
             * Format: uuid
             * @description Id of the job.
             */
            jobId: string;
            /** @description Kind of the job. */
            jobType: "render" | "simulation" | "molecular" | "pipeline" | (string & {});
            /** @description Name of the job. */
            jobName: string | null;
            /** @description State of the job. */
            status: components["schemas"]["JobState"];
            /** @description Number of the execution, counted from 1. */
            execution: number;
            /** @description Where the job runs. */
            provider: string;
            /** @description Why the job is in this state. */
            statusReason: string | null;
            /** @description Why the job is paused, or is about to pause; null when neither is so. */
            pauseReason: components["schemas"]["PauseReason"];
            /** @description Why the job is to be cancelled, in the words of who asked for the cancel; null without a cancel or without words. */
            cancelReason: string | null;
            /** @description Where a waiting job stands; null when it does not wait. */
            queue: {
                /** @description Place in the queue, counted from 1; null when unknown. */
                position: number | null;
                /** @description What the job waits for. */
                reason: components["schemas"]["WaitReason"];
            } | null;
            /** @description How far the job is. */
            progress: {
                /** @description What is counted. */
                unit: "frame" | "task" | "ligand" | (string & {});
                /** @description Number of tasks in all. */
                total: number;
                /** @description Number of verified tasks. */
                completed: number;
                /** @description Number of tasks that failed for good. */
                failed: number;
                /** @description Number of tasks in progress. */
                running: number;
                /** @description How much is done, in percent. */
                percent: number;
                /** @description Expected time to the end in seconds; null when unknown. */
                etaSeconds: number | null;
            };
            /** @description What was lost and brought back. */
            recovery: {
                /** @description Chosen at submit. */
                mode: "standard" | "resumable" | (string & {});
                /** @description Whether a task of this job goes on from a checkpoint after a loss, and does not begin again; the preparation may prove it. */
                resumable: boolean;
                /** @description Why the tasks of this job begin again; null where they go on. */
                resumableReason: string | null;
                /** @description Number of instances that were replaced. */
                recoveries: number;
                /** @description Number of tasks that were set back with their instances, each time counted. */
                tasksSetBack: number;
                /** @description Work that was lost with instances, in seconds. */
                secondsLost: number;
                /** @description Credits charged for lost instances: always 0, in minor units of creditCurrency (pence). */
                chargedCents: number;
                /** @description The replacements, oldest first. */
                events: {
                    /**
                     * Format: date-time
                     * @description When the instance was given up.
                     */
                    at: string;
                    /** @description Why the instance was given up. */
                    cause: components["schemas"]["LossCause"];
                    /** @description Number of finished tasks that were kept. */
                    tasksKept: number;
                    /** @description Work that was lost, in seconds, over all tasks of the instance. */
                    secondsLost: number;
                    /** @description Credits charged for it: always 0, in minor units of creditCurrency (pence). */
                    chargedCents: number;
                }[];
            };
            /** @description The instances that the job has now, by slot; none while it waits, rests or has ended. */
            instances: {
                /** @description Which of the instances of the job, counted from 0. */
                slot: number;
                /** @description How often the slot got an instance, counted from 1. */
                generation: number;
                /** @description STARTING: asked for, and not heard of yet. WORKING: in contact. LEAVING: about to be taken away; it ends what it runs. */
                state: "STARTING" | "WORKING" | "LEAVING" | (string & {});
                /** @description Type of the machine by the name of its provider; null where the provider has no types, or none is settled yet. */
                type: string | null;
                /** @description How the machine is bought; the price of the job does not depend on it. */
                market: "ON_DEMAND" | "SPOT" | (string & {});
                /** @description Zone of the machine; null where the provider has no zones, or the machine is not there yet. */
                zone: string | null;
                /** @description Number of its GPUs. */
                gpus: number;
                /**
                 * Format: date-time
                 * @description When the machine was asked for.
                 */
                since: string;
            }[];
            /** @description The money of the job. */
            cost: {
                /** @description Estimated cost, in units of currency. */
                estimatedCost: number;
                /** @description Cost of what is verified so far, by price class or by measured seconds; never above what is held, in units of currency. */
                accruedCost: number;
                /** @description Currency of the costs. */
                currency: string;
                /** @description Currency of credits. */
                creditCurrency: string;
                /** @description Exchange rate: units of creditCurrency per unit of currency, frozen for this execution. */
                fxRate: number;
                /** @description Credits held for the job in all; those charged and given back are part of them, in minor units of creditCurrency (pence). */
                heldCents: number;
                /** @description Credits charged of those held, in minor units of creditCurrency (pence). */
                chargedCents: number;
                /** @description Credits given back of those held, in minor units of creditCurrency (pence). */
                releasedCents: number;
                /** @description The most that this execution may hold, in pence, as its resume said; null without a limit. */
                limitCents: number | null;
                /** @description What the whole job is expected to be charged, where seconds are measured, while it goes on by itself; null for every other job. It changes by itself, without another version of the status. */
                forecast: {
                    /** @description The least that it is expected to come to, in minor units of creditCurrency (pence). */
                    lowCents: number;
                    /** @description The most that it is expected to come to, in minor units of creditCurrency (pence). */
                    highCents: number;
                    /** @description PROGRESS: by the progress of running tasks; VERIFIED: by the time of verified ones; ESTIMATE: nothing is seen yet. */
                    basis: "PROGRESS" | "VERIFIED" | "ESTIMATE" | (string & {});
                } | null;
                /** @description What a resume would hold for what is missing, in pence, by the prices of now; null while the job goes on by itself, when it is done, and when it cannot be resumed. */
                toFinishCents: number | null;
                /** @description What to do so that the job is finished; null where nothing is to be done. */
                toFinishAdvice: string | null;
            };
            /** @description The first 20 tasks that failed. */
            failures: {
                /** @description Task index, counted from 0; null for the preparation. */
                index: number | null;
                /** @description Ligand id, frame number or task id. */
                id: string | null;
                /** @description Machine-readable reason. */
                code: components["schemas"]["FailureCode"];
                /** @description Reason for people. */
                message: string;
                /** @description Number of attempts made. */
                attempts: number;
            }[];
            /** @description Warnings. */
            warnings: {
                /** @description Machine-readable warning. */
                code: components["schemas"]["WarningCode"];
                /** @description Warning for people. */
                message: string;
            }[];
            /** @description Whether at least one output can be downloaded. */
            outputsAvailable: boolean;
            /**
             * Format: date-time
             * @description When the job was accepted.
             */
            submittedAt: string;
            /**
             * Format: date-time
             * @description When the first task started; null before.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description When the job last changed.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When the job ended; null before.
             */
            finishedAt: string | null;
            /** @description What a docking job has made of its receptor; null for other jobs, and before. */
            docking: {
                /** @description Where ligands are docked. */
                box: {
                    /** @description Centre of the box: x, y and z in Å. */
                    centerAngstrom: number[];
                    /** @description Edges of the box: x, y and z in Å. */
                    sizeAngstrom: number[];
                    /** @description What the box was derived from. */
                    derivation: "explicit" | "ligand" | "residues" | (string & {});
                    /** @description Number of heavy atoms of the prepared receptor inside the box. */
                    receptorHeavyAtoms: number;
                };
                /** @description The prepared receptor. */
                receptor: {
                    /**
                     * Format: hex
                     * @description What the preparation is known by.
                     */
                    cacheKey: string;
                    /** @description Whether an equal preparation of the account was used again. */
                    cacheHit: boolean;
                    /** @description Number of heavy atoms of the prepared receptor. */
                    heavyAtoms: number;
                };
                /** @description The control docking of the native ligand; null when there is none or not yet. */
                validation: {
                    /** @description Component id of the native ligand. */
                    component_id: string;
                    /** @description RMSD of the best-scored pose to the deposited one, in Å; null when it could not be docked. */
                    rmsd_top_angstrom: number | null;
                    /** @description Lowest RMSD of all poses to the deposited one, in Å; null when it could not be docked. */
                    rmsd_best_angstrom: number | null;
                    /** @description Mode with the lowest RMSD, counted from 1; null when it could not be docked. */
                    best_mode: number | null;
                    /** @description Whether the best-scored pose is within 2.0 Å. */
                    passed: boolean;
                } | null;
            } | null;
        };
        /** @description The bill of a job. */
        JobBillResponse: {
            /**
             * Format: uuid
             * @description Id of the job.
             */
            jobId: string;
            /** @description Currency of credits. */
            creditCurrency: string;
            /** @description Credits that the job was charged, over all executions, in minor units of creditCurrency (pence). */
            chargedCents: number;
            /** @description The executions, in their order. */
            executions: {
                /** @description Number of the execution, from 1. */
                execution: number;
                /** @description How the execution ended; null while it is open. */
                outcome: string | null;
                /**
                 * Format: date-time
                 * @description When the execution was admitted.
                 */
                startedAt: string;
                /**
                 * Format: date-time
                 * @description When the execution was charged; null while it is open, and its lines say what is due so far.
                 */
                settledAt: string | null;
                /** @description Version of the price book of the prices. */
                priceBookVersion: string;
                /** @description Currency of the lines. */
                currency: string;
                /** @description The lines; none without a verified task. */
                lines: {
                    /** @description What the line is for; ceiling takes away what is above the most that the job may cost. Treat unknown kinds as further lines. */
                    kind: "start_fee" | "tasks" | "time" | "software" | "storage" | "egress" | "ceiling" | (string & {});
                    /** @description Price class of the tasks; null for other lines. */
                    priceClass: string | null;
                    /** @description Number of verified tasks that the line counts; null where it counts none. */
                    tasks: number | null;
                    /** @description Measured milliseconds that the line counts; null where it counts none. */
                    meteredMs: number | null;
                    /** @description Amount of the line, in millionths of the units of currency. */
                    amountMicro: number;
                }[];
                /** @description Sum of the lines, in millionths of the units of currency. */
                totalMicro: number;
                /** @description Exchange rate: units of creditCurrency per unit of currency, frozen at the submit. */
                fxRate: number;
                /** @description Who gave the exchange rate: the host of the source, or the price book; null where nothing is converted. */
                fxSource: string | null;
                /** @description The day for which the exchange rate was given, as YYYY-MM-DD; null where fxSource is. */
                fxDate: string | null;
                /** @description The sum at this rate, in millionths of the units of creditCurrency, rounded down. */
                convertedMicro: number;
                /** @description What rounding down to the minor unit takes away, in millionths of the units of creditCurrency: convertedMicro and roundingMicro come to 10,000 times dueCents. */
                roundingMicro: number;
                /** @description What the lines come to, in minor units of creditCurrency (pence). */
                dueCents: number;
                /** @description Credits that were held, in minor units of creditCurrency (pence). */
                heldCents: number;
                /** @description Credits that were charged: dueCents once the execution is settled, 0 before, in minor units of creditCurrency (pence). */
                chargedCents: number;
                /** @description Credits that were given back, in minor units of creditCurrency (pence). */
                releasedCents: number;
                /** @description The transfers of the hold, in their order. */
                transfers: {
                    /**
                     * Format: uuid
                     * @description Id of the transfer; GET /credits/transactions has it before the colon of its ids.
                     */
                    transferId: string;
                    /** @description What the transfer is, as the type of a transaction. */
                    type: "topup" | "topup_bonus" | "promo" | "monthly_grant" | "monthly_expiry" | "hold" | "hold_increase" | "hold_release" | "charge" | "refund" | "dispute" | "adjustment" | (string & {});
                    /** @description Amount that the transfer moved, in minor units of creditCurrency (pence). */
                    amountCents: number;
                }[];
            }[];
        };
        /** @description A receipt with its signature. */
        SignedReceipt: {
            /** @description What is signed. */
            receipt: {
                /**
                 * @description Format of the receipt.
                 * @enum {string}
                 */
                schema: "dockyard.receipt/v1";
                /** @description Address of the service. */
                issuer: string;
                /**
                 * Format: uuid
                 * @description Id of the job.
                 */
                jobId: string;
                /** @description Number of the execution, counted from 1. */
                execution: number;
                /** @description State of the job when the execution was settled: PAUSED, or a terminal one. */
                outcome: string;
                /** @description Type of the job. */
                jobType: string;
                /** @description Simulator of the job; null for other jobs. */
                simulator: string | null;
                /** @description SHA-256 of the canonical JSON (RFC 8785) of the request as it was sent, without idempotencyKey and quoteId. */
                requestSha256: string;
                /** @description Seed number that every task has used; null for tools without seeds. */
                effectiveSeed: number | null;
                /** @description Digests of the code that made the results. */
                toolchainSha256: string[];
                /** @description Classes of the processors that made the results, where results tell theirs. */
                cpuClasses: string[];
                /**
                 * Format: date-time
                 * @description When the job was admitted.
                 */
                submittedAt: string;
                /**
                 * Format: date-time
                 * @description When the execution was admitted.
                 */
                startedAt: string;
                /**
                 * Format: date-time
                 * @description When the execution was settled.
                 */
                settledAt: string;
                /** @description Counts of tasks when the execution was settled. */
                tasks: {
                    /** @description Number of tasks of the job. */
                    total: number;
                    /** @description Number of verified tasks, over all executions so far. */
                    verified: number;
                    /** @description Number of failed tasks, over all executions so far. */
                    failed: number;
                };
                /** @description Attempts at tasks. */
                attempts: {
                    /** @description Number of starts of tasks, all together. */
                    started: number;
                    /** @description Verified tasks that were started again. */
                    repeated: {
                        /** @description Index of the task. */
                        taskIndex: number;
                        /** @description Number of starts of the task. */
                        attempts: number;
                    }[];
                };
                /** @description Tasks for which earlier results stand; absent where every task was done. */
                adopted?: {
                    /** @description Index of the task. */
                    taskIndex: number;
                    /**
                     * Format: uuid
                     * @description Job whose verified outputs were copied.
                     */
                    fromJobId: string;
                    /** @description Index of the task of that job. */
                    fromTaskIndex: number;
                }[];
                /** @description What was lost, paused and resumed. */
                recoveries: {
                    /**
                     * Format: date-time
                     * @description When the instance was given up, or the job paused or resumed.
                     */
                    at: string;
                    /** @description What happened, as in the recovery ledger. */
                    kind: "LOSS" | "PAUSE" | "RESUME" | (string & {});
                    /** @description Why work stopped, or went on. */
                    cause: components["schemas"]["RecoveryCause"];
                    /** @description Place of the lost instance in the fleet, counted from 0; null for a pause or a resume. */
                    slot: number | null;
                    /** @description Number of the lost instance in its place, counted from 1; null for a pause or a resume. */
                    generation: number | null;
                    /** @description Number of verified tasks, which stayed as they were. */
                    tasksKept: number;
                    /** @description Number of tasks and steps that were run again. */
                    tasksSetBack: number;
                }[];
                /** @description Inputs with their digests. */
                inputs: {
                    /** @description Storage key. */
                    storageKey: string;
                    /** @description Size in bytes. */
                    byteSize: number;
                    /** @description SHA-256 that every read of the input had to have. */
                    sha256: string;
                }[];
                /** @description Verified outputs with their digests. */
                outputs: {
                    /**
                     * Format: uuid
                     * @description Id of the output.
                     */
                    artifactId: string;
                    /** @description Index of the task that made the output; null for an output of a step. */
                    taskIndex: number | null;
                    /** @description Name of the output, unique in its task. */
                    name: string;
                    /** @description Size in bytes. */
                    byteSize: number;
                    /** @description SHA-256 of the bytes, which the service has verified. */
                    sha256: string;
                }[];
                /** @description What the execution cost. */
                price: {
                    /** @description Version of the price book. */
                    priceBookVersion: string;
                    /** @description Currency of the price. */
                    currency: string;
                    /** @description Price of what is verified, in millionths of the units of currency. */
                    totalMicro: number;
                    /** @description Exchange rate: millionths of the units of creditCurrency for one of the units of currency. */
                    fxRateMicro: number;
                    /** @description Currency of credits. */
                    creditCurrency: string;
                    /** @description Credits that were held, in minor units of creditCurrency (pence). */
                    heldCents: number;
                    /** @description Credits that were charged, in minor units of creditCurrency (pence). */
                    chargedCents: number;
                    /** @description Credits that were released, in minor units of creditCurrency (pence). */
                    releasedCents: number;
                };
                /** @description Transfers of the ledger, in their order. */
                transactions: {
                    /**
                     * Format: uuid
                     * @description Id of the transfer, as the bill of the job has it.
                     */
                    transferId: string;
                    /** @description What the transfer is, as the type of a transaction. */
                    type: "topup" | "topup_bonus" | "promo" | "monthly_grant" | "monthly_expiry" | "hold" | "hold_increase" | "hold_release" | "charge" | "refund" | "dispute" | "adjustment" | (string & {});
                    /** @description Amount that the transfer moved, in minor units of creditCurrency (pence). */
                    amountCents: number;
                }[];
            };
            /** @description The signature of the receipt. */
            signature: {
                /**
                 * @description Ed25519 of RFC 8032.
                 * @enum {string}
                 */
                algorithm: "Ed25519";
                /** @description Id of the key that has signed; GET /receipt-keys has its public part. */
                keyId: string;
                /** @description Signature over the UTF-8 of the canonical JSON (RFC 8785) of receipt, in base64url. */
                value: string;
            };
        };
        /** @description The public keys of receipts. */
        ReceiptKeyList: {
            /** @description Keys, the newest first. A key stays in the list when it signs no more. */
            keys: {
                /**
                 * @description Kind of the key.
                 * @enum {string}
                 */
                kty: "OKP";
                /**
                 * @description Curve of the key.
                 * @enum {string}
                 */
                crv: "Ed25519";
                /**
                 * @description Algorithm of the key.
                 * @enum {string}
                 */
                alg: "EdDSA";
                /**
                 * @description The key signs.
                 * @enum {string}
                 */
                use: "sig";
                /** @description Id of the key. */
                kid: string;
                /** @description The public key, 32 bytes in base64url. */
                x: string;
            }[];
            /** @description Always null: the list is answered whole. */
            nextCursor: string | null;
        };
        /** @description The statements of the account. */
        StatementListResponse: {
            /** @description One statement for each UTC month since the account was opened, newest first. */
            statements: {
                /** @description The UTC month, as YYYY-MM. */
                month: string;
                /** @description Whether the month is over, so that the statement never changes any more. */
                final: boolean;
                /** @description The balances at the end of the month, or now. */
                closing: {
                    /** @description Wallet credits that are not held, in GBP pence. */
                    wallet_cents: number;
                    /** @description Wallet credits held for jobs, in GBP pence. */
                    wallet_held_cents: number;
                    /** @description Monthly credits that are not held, in GBP pence. */
                    monthly_cents: number;
                    /** @description Monthly credits held for jobs, in GBP pence. */
                    monthly_held_cents: number;
                    /** @description What is owed, in GBP pence. */
                    debt_cents: number;
                };
            }[];
            /** @description Always null: the list is answered whole. */
            nextCursor: string | null;
        };
        /** @description What can be bought. */
        TierListResponse: {
            /** @description Tiers, by price. */
            tiers: {
                /** @description Id of the tier. */
                tierId: string;
                /** @description Price before tax, in GBP pence. */
                amountCents: number;
                /** @description Credits on top, in GBP pence. */
                bonusCents: number;
                /** @description All credits of the tier, in GBP pence. */
                creditsCents: number;
                /** @description Currency of the amounts. */
                currency: string;
            }[];
            /** @description Always null: the list is answered whole. */
            nextCursor: string | null;
        };
        /** @description The tier to buy. */
        TopupRequest: {
            /** @description Tier to buy; GET /credits/tiers lists them. */
            tierId: string;
            /** @description Page of this service to return to after the payment; the dashboard when it is left out. */
            successUrl?: string;
            /** @description Page of this service to return to without a payment; the dashboard when it is left out. */
            cancelUrl?: string;
        };
        /** @description The checkout of the top-up. */
        TopupStartedResponse: {
            /**
             * Format: uri
             * @description Hosted checkout to send the browser to; open for an hour.
             */
            url: string;
            /** @description The tier. */
            tierId: string;
            /**
             * Format: uuid
             * @description Id of the top-up.
             */
            topupId: string;
        };
        /** @description One top-up. */
        TopupResponse: {
            /**
             * Format: uuid
             * @description Id of the top-up.
             */
            id: string;
            /** @description The tier. */
            tierId: string;
            /** @description CREATED and OPEN wait for the customer, PROCESSING for the bank; the credits are there at PAID. FAILED and EXPIRED give none. */
            state: "CREATED" | "OPEN" | "PROCESSING" | "PAID" | "FAILED" | "EXPIRED" | (string & {});
            /** @description Price before tax, in GBP pence. */
            amountCents: number;
            /** @description Credits on top, in GBP pence. */
            bonusCents: number;
            /** @description Tax that was paid on top of the price, in GBP pence. */
            taxCents: number;
            /** @description What of price and tax was paid back, or taken back by a bank; its bonus went back with it, in GBP pence. */
            refundedCents: number;
            /** @description Currency of the amounts. */
            currency: string;
            /**
             * Format: uri
             * @description Hosted checkout while the customer can pay there; null otherwise.
             */
            url: string | null;
            /**
             * Format: uri
             * @description Invoice; null without one.
             */
            invoiceUrl: string | null;
            /**
             * Format: uri
             * @description Receipt; null without one.
             */
            receiptUrl: string | null;
            /**
             * Format: date-time
             * @description When the top-up began.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the credits were posted; null before.
             */
            paidAt: string | null;
        };
        /** @description The statement of a month. */
        StatementResponse: {
            /** @description The UTC month, as YYYY-MM. */
            month: string;
            /** @description Whether the month is over, so that the statement never changes any more. */
            final: boolean;
            /** @description Currency of the amounts. */
            currency: string;
            /** @description The balances at the beginning of the month. */
            opening: {
                /** @description Wallet credits that are not held, in GBP pence. */
                wallet_cents: number;
                /** @description Wallet credits held for jobs, in GBP pence. */
                wallet_held_cents: number;
                /** @description Monthly credits that are not held, in GBP pence. */
                monthly_cents: number;
                /** @description Monthly credits held for jobs, in GBP pence. */
                monthly_held_cents: number;
                /** @description What is owed, in GBP pence. */
                debt_cents: number;
            };
            /** @description The balances at the end of the month, or now: for each of them opening + lines = closing. */
            closing: {
                /** @description Wallet credits that are not held, in GBP pence. */
                wallet_cents: number;
                /** @description Wallet credits held for jobs, in GBP pence. */
                wallet_held_cents: number;
                /** @description Monthly credits that are not held, in GBP pence. */
                monthly_cents: number;
                /** @description Monthly credits held for jobs, in GBP pence. */
                monthly_held_cents: number;
                /** @description What is owed, in GBP pence. */
                debt_cents: number;
            };
            /** @description Every movement of the month, oldest first. */
            lines: {
                /**
                 * Format: uuid
                 * @description Id of the movement.
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When the movement was made.
                 */
                created_at: string;
                /** @description Kind of the movement. */
                type: "topup" | "topup_bonus" | "promo" | "monthly_grant" | "monthly_expiry" | "hold" | "hold_increase" | "hold_release" | "charge" | "refund" | "dispute" | "adjustment" | (string & {});
                /**
                 * Format: uuid
                 * @description Id of the job; null without one.
                 */
                job_id: string | null;
                /** @description Tier of a top-up; null for others. */
                tier_id: string | null;
                /**
                 * Format: uuid
                 * @description Id of the movement that is taken back; null without one.
                 */
                reverses_id: string | null;
                /** @description What the movement was for. */
                description: string;
                /** @description What changed of the wallet credits that are not held, in GBP pence. */
                wallet_cents: number;
                /** @description What changed of the wallet credits held for jobs, in GBP pence. */
                wallet_held_cents: number;
                /** @description What changed of the monthly credits that are not held, in GBP pence. */
                monthly_cents: number;
                /** @description What changed of the monthly credits held for jobs, in GBP pence. */
                monthly_held_cents: number;
                /** @description What changed of what is owed, in GBP pence. */
                debt_cents: number;
                /** @description What was paid by card, tax included; negative for what was refunded or taken back by a bank. Part of no balance, in GBP pence. */
                paid_cents: number;
            }[];
        };
        /** @description A price book: every figure with its source and date. */
        PublicPricesResponse: {
            /** @description Version of the price book; what a version says never changes. */
            version: string;
            /** @description The day of the price book, as YYYY-MM-DD. */
            date: string;
            /** @description Whether jobs are priced by this book now. */
            current: boolean;
            /** @description Currency of the figures. */
            currency: string;
            /** @description Regions in which the prices are good. */
            regions: string[];
            /** @description Fees, storage and downloads. */
            figures: {
                /** @description Name of the figure, which ends with its unit. */
                name: string;
                /** @description The figure, a number in the unit of its name. */
                value: number;
                /** @description Where the figures come from. */
                source: string;
                /** @description The day on which the figures were taken, as YYYY-MM-DD. */
                date: string;
            }[];
            /** @description Kinds of instances. */
            hardware: {
                /** @description Name of the kind of instance, as hardware of an estimate. */
                name: string;
                /** @description Number of vCPUs. */
                vcpus: number;
                /** @description Memory in GiB, each 1,073,741,824 bytes. */
                memoryGib: number;
                /** @description Name of the GPU; null without one. */
                gpu: string | null;
                /** @description Number of its GPUs. */
                gpus: number;
                /** @description Price of an hour, a number of millionths of a USD. */
                onDemandMicroUsdPerHour: number;
                /** @description Price of an hour of an instance that may be taken away, a number of millionths of a USD. */
                spotMicroUsdPerHour: number;
                /** @description Where the figures come from. */
                source: string;
                /** @description The day on which the figures were taken, as YYYY-MM-DD. */
                date: string;
            }[];
            /** @description Software with a fee; none where nothing has one. */
            licences: {
                /** @description Id of the software, as software of an estimate. */
                id: string;
                /** @description Name of the licence. */
                name: string;
                /** @description Fee of an hour, a number of millionths of a USD. */
                microUsdPerHour: number;
                /** @description Where the figures come from. */
                source: string;
                /** @description The day on which the figures were taken, as YYYY-MM-DD. */
                date: string;
            }[];
            /** @description Tools with figures of their own. */
            tools: {
                /** @description Id of the tool. */
                id: string;
                /** @description What the price of a task is worked out from. */
                figures: {
                    /** @description Name of the figure. */
                    name: string;
                    /** @description The figure, a number in the unit of its name. */
                    value: number;
                }[];
                /** @description Where the figures come from. */
                source: string;
                /** @description The day on which the figures were taken, as YYYY-MM-DD. */
                date: string;
            }[];
            /** @description The exchange rate that is used until a source has given one. */
            fallbackFx: {
                /** @description Number of pounds for a USD. */
                usdToGbp: number;
                /** @description Where the figures come from. */
                source: string;
                /** @description The day on which the figures were taken, as YYYY-MM-DD. */
                date: string;
            };
        };
        /** @description What a job would be, roughly; each field has a default. */
        PublicEstimateRequest: {
            /**
             * @description Whether a render makes the frames of an animation, or single images.
             * @default animation
             * @enum {string}
             */
            mode?: "animation" | "still";
            /**
             * @description Kind of the job; a simulation has imageCount tasks.
             * @default render
             * @enum {string}
             */
            jobType?: "render" | "simulation";
            /**
             * @description Length of the animation in minutes, 0 to 10,000.
             * @default 0
             */
            durationMinutes?: number;
            /**
             * @description Length of the animation in seconds, added to the minutes, 0 to 600,000.
             * @default 0
             */
            durationSeconds?: number;
            /**
             * @description Frames per second of the animation, 0 to 240.
             * @default 24
             */
            fps?: number;
            /**
             * @description Number of images, or of tasks of a simulation; a part of one counts as a whole one.
             * @default 1
             */
            imageCount?: number;
            /**
             * @description Minutes that one frame, image or task takes on the hardware, 0 to 10,000.
             * @default 10
             */
            renderTimeMinutes?: number;
            /**
             * @description Kind of instance. An unknown one is refused with those there are.
             * @default g4dn.xlarge
             */
            hardware?: string;
            /**
             * @description Software of the job. An unknown one is refused with those there are.
             * @default blender
             */
            software?: string;
            /**
             * @description Region of the instances. An unknown one is refused with those there are.
             * @default us-west-2
             */
            region?: string;
            /**
             * @description Size of the data of a simulation in TB, each 1,000 GB, 0 to 10,000.
             * @default 1
             */
            datasetSizeTB?: number;
        };
        /** @description The rough price. */
        PublicEstimateResponse: {
            /** @description Estimated cost, in units of currency. */
            estimatedCost: number;
            /** @description Estimated cost in units of creditCurrency, by fxRate. */
            estimatedCostGbp: number;
            /** @description Currency of the estimate. */
            currency: string;
            /** @description Currency of credits. */
            creditCurrency: string;
            /** @description Exchange rate: units of creditCurrency per unit of currency. */
            fxRate: number;
            /** @description Who gave the exchange rate: the host of the source, or the price book; null where nothing is converted. */
            fxSource: string | null;
            /** @description The day for which the exchange rate was given, as YYYY-MM-DD; null where fxSource is. */
            fxDate: string | null;
            /** @description Version of the price book of the estimate. */
            priceBookVersion: string;
            /** @description Whether a licence fee is part of the estimate. */
            hasLicenseFee?: boolean;
            /** @description Licences that are paid for. */
            licenseNames?: string[];
            /** @description Parts of the estimate. */
            breakdown?: {
                /** @description Cost of compute, in units of currency. */
                compute: number;
                /** @description Cost of software licences, in units of currency. */
                software: number;
                /** @description Cost of storage, in units of currency. */
                storage: number;
                /** @description Cost of downloads, in units of currency. */
                egress: number;
                /** @description Fee for starting the job, in units of currency. */
                startFee: number;
            };
            /** @description What the estimate counts with. */
            meta?: {
                /** @description Number of frames, images or tasks. */
                totalFrames: number;
                /** @description Size of the data in GB. */
                totalSizeGB: number;
                /** @description Rates that the estimate uses. */
                variableRates?: {
                    /** @description Rate of the hardware, in units of currency per hour. */
                    hardwareRate: number;
                    /** @description Rate of downloads, in units of currency per GB. */
                    egressRate: number;
                };
            };
        };
        /** @description What a docked ligand says of itself; there may be further members. */
        DockedLigandSummary: {
            /** @description Score of the best pose in kcal/mol. */
            bestAffinityKcalMol: number;
            /** @description The same per heavy atom in kcal/mol, positive where the ligand binds. */
            ligandEfficiency?: number | null;
            /** @description The same over the number of heavy atoms to the power of 0.3, positive where the ligand binds. */
            sizeIndependentEfficiency?: number | null;
            /** @description Number of checks that the best pose fails. */
            bestPoseFailedChecks?: number | null;
            /** @description Number of poses that pass every check. */
            plausiblePoseCount?: number;
            /** @description Number of heavy atoms of the ligand. */
            heavyAtoms?: number;
            /** @description Number of poses. */
            poseCount?: number;
            /** @description SMILES of the ligand as it was docked, with its charges. */
            smilesDocked?: string;
        };
        /** @description What a search for pockets says of itself; there may be further members. */
        PocketsSummary: {
            /** @description Number of pockets that were found. */
            pocketsFound: number;
            /** @description Number of pockets that were kept. */
            pocketCount?: number;
            /** @description Score of the first pocket, a number without unit; null when there is no pocket. */
            bestScore: number | null;
            /** @description Druggability score of the first pocket, a number without unit; null when there is no pocket. */
            bestDruggabilityScore?: number | null;
            /** @description Volume of the first pocket in cubic Å; null when there is no pocket. */
            bestVolumeAngstrom3?: number | null;
            /** @description The pockets that were kept, by rank. */
            pockets?: {
                /** @description Rank of the pocket, counted from 1. */
                rank: number;
                /** @description Score of the pocket, a number without unit. */
                score: number;
                /** @description Druggability score, a number without unit; null when there is no pocket. */
                druggabilityScore?: number | null;
                /** @description Volume in cubic Å. */
                volumeAngstrom3?: number;
                /** @description Centre of the pocket: x, y and z in Å. */
                centerAngstrom?: number[];
                /** @description Number of residues around the pocket. */
                residueCount?: number;
            }[];
        };
        /** @description What the search of a part of the queries says of itself; there may be further members. */
        SearchSummary: {
            /** @description Number of queries that were searched. */
            queries: number;
            /** @description Number of queries that have hits. */
            queriesWithHits: number;
            /** @description Number of alignments that were found. */
            hits: number;
            /** @description Number of the first query in the whole file, counted from 1. */
            firstQuery?: number;
            /** @description Number of letters of the queries. */
            residues?: number;
            /** @description The best hit of each of the first queries that have one. */
            best?: {
                /** @description Name of the query. */
                query: string;
                /** @description Name of the sequence that was found. */
                subject: string;
                /** @description Equal letters of the alignment in percent. */
                identityPercent?: number;
                /** @description Number of letters of the alignment. */
                length?: number;
                /** @description Expectation value, a number without unit. */
                evalue?: number;
                /** @description Score of the alignment, a number of bits. */
                bitScore?: number;
            }[];
        };
        /** @description A page of tasks. */
        TaskListResponse: {
            /** @description Tasks by index. */
            tasks: {
                /** @description Task index, counted from 0. */
                index: number;
                /** @description Ligand id, frame number or task id. */
                id: string;
                /** @description State of the task. */
                state: "PENDING" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | (string & {});
                /** @description Number of attempts made. */
                attempts: number;
                /**
                 * Format: date-time
                 * @description When the present attempt started; null before.
                 */
                startedAt: string | null;
                /**
                 * Format: date-time
                 * @description When the task ended; null before.
                 */
                finishedAt: string | null;
                /** @description How much of the task is done, in percent. */
                progressPercent: number;
                /** @description Why the task failed; null when it did not. */
                failure: {
                    /** @description Machine-readable reason. */
                    code: components["schemas"]["FailureCode"];
                    /** @description Reason for people. */
                    message: string;
                } | null;
                /** @description A few figures of the tool; null before. Which members there are depends on the tool. */
                summary: components["schemas"]["DockedLigandSummary"] | components["schemas"]["PocketsSummary"] | components["schemas"]["SearchSummary"] | (Record<string, unknown> | null);
            }[];
            /** @description Pass it back as cursor to get the next page; null at the end. */
            nextCursor: string | null;
        };
        /** @description A page of the recovery ledger. */
        RecoveryListResponse: {
            /** @description Entries, the oldest first. */
            recoveries: {
                /**
                 * Format: date-time
                 * @description When the instance was given up, or the job paused or resumed.
                 */
                at: string;
                /** @description LOSS: an instance was lost; PAUSE, RESUME: the job was paused or resumed. */
                kind: "LOSS" | "PAUSE" | "RESUME" | (string & {});
                /** @description Number of the execution, counted from 1. */
                execution: number;
                /** @description The instance that was lost; null for a pause or a resume. */
                instance: {
                    /** @description Place of the instance in the fleet of the job, counted from 0. */
                    slot: number;
                    /** @description Number of the instance in its place, counted from 1. */
                    generation: number;
                    /** @description Type of the instance at its provider; null where the provider has no types. */
                    type: string | null;
                    /** @description How the instance was rented; one of SPOT may be taken away. */
                    market: "ON_DEMAND" | "SPOT" | (string & {});
                } | null;
                /** @description Why work stopped, or went on. */
                cause: components["schemas"]["RecoveryCause"];
                /** @description Number of verified tasks, which stay as they are. */
                tasksKept: number;
                /** @description Number of tasks and steps that are run again. */
                tasksSetBack: number;
                /** @description Work that was lost, in seconds, over all tasks that were running. */
                secondsLost: number;
                /** @description Seconds until work went on: the first of these tasks ran again; null as long as none has. */
                secondsUntilWork: number | null;
                /** @description Credits charged for it in pence: always 0. */
                chargedCents: number;
            }[];
            /** @description Pass it back as cursor to get the next page; null at the end. */
            nextCursor: string | null;
        };
        /** @description An output of a job. */
        OutputItem: {
            /**
             * Format: uuid
             * @description Id of the output.
             */
            artifactId: string;
            /** @description Path of the output within the job. */
            name: string;
            /** @description What the output is. */
            kind: string;
            /** @description Frame number of the output; null when it belongs to none. */
            frame: number | null;
            /** @description Task index, counted from 0; null when it belongs to the job. */
            taskIndex: number | null;
            /** @description Ligand of the output; null when it belongs to none. */
            ligandId: string | null;
            /** @description Media type of the output. */
            mediaType: string;
            /** @description Format of the output; null when it has no name. */
            format: string | null;
            /** @description Size of the output in bytes. */
            byteSize: number;
            /** @description SHA-256 of the output, 64 lowercase hex characters. */
            sha256: string;
            /** @description Storage key of the output. */
            storageKey: string;
            /**
             * Format: uri
             * @description Download address, minted for this answer.
             */
            url: string;
            /**
             * Format: date-time
             * @description When the download address ends.
             */
            urlExpiresAt: string;
            /**
             * Format: date-time
             * @description When the output was committed, to the microsecond.
             */
            createdAt: string;
        };
        /** @description A page of outputs. */
        OutputListResponse: {
            /**
             * Format: uuid
             * @description Id of the job.
             */
            jobId: string;
            /** @description State of the job. */
            status: components["schemas"]["JobState"];
            /** @description Whether the outputs of every task are present; a job can end without. */
            complete: boolean;
            /** @description Whether nothing more comes: the job has ended, and all that it made is on this page and the next ones. Wait for this, and no longer. */
            final: boolean;
            /** @description Number of tasks whose outputs are expected: present, failedCount and missingCount together. */
            expected: number;
            /** @description Number of tasks whose outputs are present. */
            present: number;
            /** @description The first 100 ids of tasks that failed for good: they have no outputs. */
            failed: string[];
            /** @description Number of tasks that failed for good. */
            failedCount: number;
            /** @description The first 100 ids of tasks that neither have outputs nor failed: they may still come, unless final is true. */
            missing: string[];
            /** @description Number of tasks that neither have outputs nor failed. */
            missingCount: number;
            /** @description The outputs of this page, by task and name. */
            outputs: components["schemas"]["OutputItem"][];
            /** @description The manifest of all outputs; null before it is written. */
            manifest: {
                /**
                 * Format: uuid
                 * @description Id of the output.
                 */
                artifactId: string;
                /** @description Path of the output within the job. */
                name: string;
                /** @description What the output is. */
                kind: string;
                /** @description Frame number of the output; null when it belongs to none. */
                frame: number | null;
                /** @description Task index, counted from 0; null when it belongs to the job. */
                taskIndex: number | null;
                /** @description Ligand of the output; null when it belongs to none. */
                ligandId: string | null;
                /** @description Media type of the output. */
                mediaType: string;
                /** @description Format of the output; null when it has no name. */
                format: string | null;
                /** @description Size of the output in bytes. */
                byteSize: number;
                /** @description SHA-256 of the output, 64 lowercase hex characters. */
                sha256: string;
                /** @description Storage key of the output. */
                storageKey: string;
                /**
                 * Format: uri
                 * @description Download address, minted for this answer.
                 */
                url: string;
                /**
                 * Format: date-time
                 * @description When the download address ends.
                 */
                urlExpiresAt: string;
                /**
                 * Format: date-time
                 * @description When the output was committed, to the microsecond.
                 */
                createdAt: string;
            } | null;
            /** @description Pass it back as cursor to get the next page; null at the end. */
            nextCursor: string | null;
        };
        /** @description Why the job is cancelled. */
        CancelJobRequest: {
            /** @description Why the job is cancelled, 1 to 500 characters. */
            reason?: string;
        };
        /** @description What cancelling does. */
        CancelJobResponse: {
            /**
             * Format: uuid
             * @description Id of the job.
             */
            jobId: string;
            /** @description State of the job. */
            status: components["schemas"]["JobState"];
            /**
             * Format: date-time
             * @description When cancelling was first asked for; null when the job had ended before.
             */
            cancelRequestedAt: string | null;
            /** @description What happens now. */
            message: string;
        };
        /** @description How the job is resumed. */
        ResumeJobRequest: {
            /** @description The most that is held for the job to go on, in pence, 1 to 100,000,000. The job does what that covers, then pauses with COST_LIMIT. Without it, what is missing is held whole. */
            limitCents?: number;
        };
        /** @description What resuming does. */
        ResumeJobResponse: {
            /**
             * Format: uuid
             * @description Id of the job.
             */
            jobId: string;
            /** @description State of the job. */
            status: components["schemas"]["JobState"];
            /** @description Number of the execution that goes on: a next one, or the present one of a job whose work had stopped by a fault of the service. */
            execution: number;
            /** @description Expected price of what is missing, in units of currency. */
            estimatedCost: number;
            /** @description Currency of the price. */
            currency: "USD" | "GBP" | (string & {});
            /**
             * @description Currency of credits.
             * @enum {string}
             */
            creditCurrency: "GBP";
            /** @description Units of creditCurrency per unit of currency, frozen for this execution. */
            fxRate: number;
            /** @description Held for what is missing, in pence. */
            heldCents: number;
            /** @description What happens now. */
            message: string;
        };
        /** @description The file to upload. */
        UploadUrlRequest: {
            /** @description Name of the file, 1 to 4096 characters; its last path segment is used. */
            filename: string;
            /** @description Media type of the file, kept for downloads: 1 to 255 printable ASCII characters, without spaces at its ends. */
            contentType: string;
            /** @description Size of the file in bytes, above 0. */
            size: number;
            /**
             * Format: uuid
             * @description Project that the file belongs to; needs logicalPath.
             */
            projectId?: string;
            /** @description Path of the file within the project, 1 to 1024 characters: relative, segments apart by one slash, none of them . or .., no backslash; needs projectId. */
            logicalPath?: string;
            /** @description SHA-256 of the whole file, 64 hex characters; the store checks it. */
            sha256?: string;
        };
        /** @description Where to upload the file. */
        UploadUrlResponse: {
            /**
             * Format: uri
             * @description Presigned address for one PUT of the file.
             */
            uploadUrl: string;
            /** @description Storage key of the file, to send as sceneFile. */
            s3Key: string;
            /**
             * @description Method to use: always PUT.
             * @enum {string}
             */
            method: "PUT";
            /** @description Life of the address in seconds. */
            expiresIn: number;
            /** @description Headers to send with the PUT. */
            headers?: {
                [key: string]: string;
            };
            /** @description Kind of the store. */
            provider: "aws-s3" | "azure-blob" | (string & {});
        };
        /** @description The file to upload in parts. */
        MultipartInitRequest: {
            /** @description Name of the file, 1 to 4096 characters; its last path segment is used. */
            filename: string;
            /** @description Media type of the file, kept for downloads: 1 to 255 printable ASCII characters, without spaces at its ends. */
            contentType: string;
            /** @description Size of the file in bytes, above 0. */
            size: number;
            /**
             * Format: uuid
             * @description Project that the file belongs to; needs logicalPath.
             */
            projectId?: string;
            /** @description Path of the file within the project, 1 to 1024 characters: relative, segments apart by one slash, none of them . or .., no backslash; needs projectId. */
            logicalPath?: string;
            /** @description Wished size of a part in bytes; held within the limits of the store and of 10,000 parts. */
            partSize?: number;
            /** @description SHA-256 of the whole file, 64 hex characters; the stored bytes are held against it at completion. */
            sha256?: string;
            /** @description Kind of job that the file is for; a hint. */
            jobType?: string;
            /**
             * @description Asks the store to check the SHA-256 of each part, where it can.
             * @enum {string}
             */
            checksumAlgorithm?: "sha256";
        };
        /** @description A multipart upload that was started. */
        MultipartInitResponse: {
            /**
             * Format: uuid
             * @description Id of the upload.
             */
            uploadId: string;
            /** @description Storage key of the file, to send as sceneFile. */
            key: string;
            /** @description Size of each part in bytes; the last may be smaller. */
            partSize: number;
            /** @description Number of parts. */
            partCount: number;
            /** @description Addresses of the first 1,000 parts; none when the store checks digests. */
            parts: {
                /** @description Number of the part, from 1. */
                partNumber: number;
                /**
                 * Format: uri
                 * @description Presigned address for the PUT of this part.
                 */
                url: string;
            }[];
            /** @description Headers to send with each of these PUTs; usually none. */
            headers: {
                [key: string]: string;
            };
            /** @description Life of the addresses in seconds. */
            expiresIn: number;
            /** @description Kind of the store. */
            provider: "aws" | "azure" | (string & {});
            /**
             * @description sha256 when the store checks the digest of each part, else null.
             * @enum {string|null}
             */
            checksumAlgorithm: "sha256" | null;
            /**
             * Format: date-time
             * @description When the upload is aborted unless it has been completed.
             */
            expiresAt: string;
        };
        /** @description How far an upload is. */
        MultipartStatusResponse: {
            /**
             * Format: uuid
             * @description Id of the upload.
             */
            uploadId: string;
            /** @description Storage key of the file, to send as sceneFile. */
            key: string;
            /** @description Size of each part in bytes; the last may be smaller. */
            partSize: number;
            /** @description Number of parts. */
            partCount: number;
            /** @description Parts that the store has with their exact sizes, by number. */
            received: {
                /** @description Number of the part, from 1. */
                partNumber: number;
                /** @description ETag of the stored part; empty where the store has none. */
                etag: string;
                /** @description Size of the part in bytes. */
                size: number;
                /** @description SHA-256 that the store checked, in base64. */
                checksumSha256?: string;
            }[];
            /** @description Numbers of the parts that are still to be sent. */
            missing: number[];
            /** @description Whether all parts are there. */
            complete: boolean;
            /** @description Kind of the store. */
            provider: "aws" | "azure" | (string & {});
            /** @description State of the upload. */
            state: "OPENING" | "OPEN" | "VERIFYING" | "COMPLETED" | "FAILED" | "ABORTED" | "EXPIRED" | (string & {});
            /** @description Name of the file as it was announced. */
            filename: string;
            /** @description Media type of the file. */
            contentType: string;
            /** @description Size of the file in bytes. */
            size: number;
            /**
             * @description sha256 when the store checks the digest of each part, else null.
             * @enum {string|null}
             */
            checksumAlgorithm: "sha256" | null;
            /** @description SHA-256 of the whole file where announced, in hex. */
            sha256: string | null;
            /** @description Project that the file belongs to. */
            projectId: string | null;
            /** @description Path of the file within the project. */
            logicalPath: string | null;
            /**
             * Format: date-time
             * @description When the upload was started.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the upload is aborted unless it has been completed.
             */
            expiresAt: string;
        };
        /** @description Parts to be sent, for the first time or again. */
        MultipartPartUrlsRequest: {
            /** @description The parts that addresses are wanted for, at most 1,000, each number once and at most partCount of the upload. */
            parts: {
                /** @description Number of the part, from 1. */
                partNumber: number;
                /** @description SHA-256 of the bytes of the part, in base64; required exactly when the upload checks parts. */
                checksumSha256?: string;
            }[];
        };
        /** @description Where to send parts. */
        MultipartPartUrlsResponse: {
            /**
             * Format: uuid
             * @description Id of the upload.
             */
            uploadId: string;
            /** @description An address for each part that was asked for, in that order. */
            parts: {
                /** @description Number of the part, from 1. */
                partNumber: number;
                /**
                 * Format: uri
                 * @description Presigned address for the PUT of this part.
                 */
                url: string;
                /** @description Headers to send with this PUT, unchanged. */
                headers: {
                    [key: string]: string;
                };
            }[];
            /** @description Size of each part in bytes; the last may be smaller. */
            partSize: number;
            /** @description Number of parts. */
            partCount: number;
            /** @description Life of the addresses in seconds. */
            expiresIn: number;
            /** @description Kind of the store. */
            provider: "aws" | "azure" | (string & {});
        };
        /** @description The parts that make up the file. */
        MultipartCompleteRequest: {
            /** @description All parts of the file, each number once and at most partCount of the upload. */
            parts: {
                /** @description Number of the part, from 1. */
                partNumber: number;
                /** @description ETag that the store answered to the PUT; where it is named, the stored part must have it, else 409. */
                etag?: string;
                /** @description SHA-256 of the bytes of the part, in base64; required when the upload checks parts. */
                checksumSha256?: string;
            }[];
            /** @description SHA-256 of the whole file, 64 hex characters; the stored bytes are read and held against it before the key is released. One that is named only after the upload has been completed is compared with what is known by then. */
            sha256?: string;
        };
        /** @description The file is stored; its key may be used. */
        MultipartCompleteResponse: {
            /** @description Storage key of the file, to send as sceneFile. */
            key: string;
            /** @description Size of the file in bytes. */
            size: number;
            /** @description ETag of the stored object. */
            etag?: string;
            /**
             * @description Always true: the object is stored, whole.
             * @enum {boolean}
             */
            verified: true;
            /** @description parts-sha256 when the store checked the digest of every part, size when the byte count was checked: then name the ETag of each part, or sha256, to have the bytes compared too. */
            integrity: "parts-sha256" | "size" | (string & {});
            /** @description Kind of the store. */
            provider: "aws" | "azure" | (string & {});
            /** @description SHA-256 of the whole file in hex, when it was announced: the stored bytes were read and agree. Missing: no digest was held against them. */
            sha256?: string;
        };
        /** @description A page of uploads. */
        UploadListResponse: {
            /** @description Uploads, newest first. */
            uploads: {
                /**
                 * Format: uuid
                 * @description Id of the upload.
                 */
                uploadId: string;
                /** @description Storage key of the file, to send as sceneFile. */
                key: string;
                /** @description State of the upload. */
                state: "OPENING" | "OPEN" | "VERIFYING" | "COMPLETED" | "FAILED" | "ABORTED" | "EXPIRED" | (string & {});
                /** @description Name of the file as it was announced. */
                filename: string;
                /** @description Media type of the file. */
                contentType: string;
                /** @description Size of the file in bytes. */
                size: number;
                /** @description SHA-256 of the file in hex; of an open upload the announced one. */
                sha256: string | null;
                /** @description Project that the file belongs to. */
                projectId: string | null;
                /** @description Path of the file within the project. */
                logicalPath: string | null;
                /** @description Size of each part in bytes; null for a file stored by one PUT. */
                partSize: number | null;
                /** @description Number of parts; null for a file stored by one PUT. */
                partCount: number | null;
                /**
                 * @description sha256 when the store checks the digest of each part, else null.
                 * @enum {string|null}
                 */
                checksumAlgorithm: "sha256" | null;
                /**
                 * Format: date-time
                 * @description When the upload was started.
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When an open upload is aborted.
                 */
                expiresAt: string | null;
                /**
                 * Format: date-time
                 * @description When the file was verified.
                 */
                completedAt: string | null;
            }[];
            /** @description Pass it back as cursor to get the next page; null at the end. */
            nextCursor: string | null;
        };
        /** @description The credits of the account. */
        CreditBalanceResponse: {
            /** @description Purchased and promotional wallet balance, in GBP pence. */
            wallet_cents: number;
            /** @description Wallet credits reserved for jobs, in GBP pence. */
            wallet_held_cents: number;
            /** @description Wallet credits available, in GBP pence. */
            wallet_available_cents: number;
            /** @description Monthly allowance balance, in GBP pence. */
            monthly_cents: number;
            /** @description Monthly allowance reserved for jobs, in GBP pence. */
            monthly_held_cents: number;
            /** @description Monthly allowance available, in GBP pence. */
            monthly_available_cents: number;
            /**
             * Format: date-time
             * @description When the allowance is renewed; null without an active period.
             */
            monthly_reset_at: string | null;
            /** @description Wallet plus monthly balance, in GBP pence. */
            total_credited_cents: number;
            /** @description All credits reserved for jobs, in GBP pence. */
            held_cents: number;
            /** @description Wallet plus monthly credits available to spend, in GBP pence. */
            available_cents: number;
            /** @description available_cents for people, in GBP. */
            available_display: string;
            /** @description What the account owes, zero or more; whatever reaches the wallet pays it first, and nothing can be held until it is paid, in GBP pence. */
            debt_cents: number;
        };
        /** @description The simulators of this service. */
        SimulatorListResponse: {
            /** @description All simulators, in a fixed order. */
            simulators: {
                /** @description The name that `simulator` takes; for jobs without one, the name of the tool. */
                id: string;
                /** @description Other names that `simulator` takes. */
                aliases: string[];
                /** @description The `jobType` of its jobs. */
                jobType: string;
                /** @description What it is called. */
                title: string;
                /** @description Whether it can be run now; a job for one that cannot is refused. */
                available: boolean;
                /** @description What is missing; null when it is available. */
                reason: "PACK_NOT_INSTALLED" | "MODEL_NOT_INSTALLED" | "DATABASE_NOT_INSTALLED" | "GPU_REQUIRED" | (string & {}) | null;
                /** @description Version of the programs that run; null when they come with the service or are missing. */
                version: string | null;
                /** @description SHA-256 over the files of these programs; null as `version`. */
                packDigest: string | null;
                /** @description What one task of a job is. */
                unit: "frame" | "task" | "ligand" | (string & {});
                /** @description fixed: the price of a task is known at submit; measured: it follows the seconds of its run. */
                priceModel: "fixed" | "measured" | (string & {});
                /** @description The licence of the programs. */
                licence: {
                    /** @description Name of the licence. */
                    name: string;
                    /** @description Address of the text of the licence. */
                    url: string;
                };
                /** @description Whether a job needs `sceneFile`. */
                needsSceneFile: boolean;
                /** @description The fields of `simulationParams` that it reads; others are accepted with a warning. */
                parameters: string[];
            }[];
            /** @description Always null: the list is answered whole. */
            nextCursor: string | null;
        };
        /** @description A page of transactions. */
        TransactionListResponse: {
            /** @description Transactions, newest first. */
            transactions: {
                /** @description Id of the transaction. */
                id: string;
                /** @description Type of the transaction. */
                type: "topup" | "topup_bonus" | "promo" | "monthly_grant" | "monthly_expiry" | "hold" | "hold_increase" | "hold_release" | "charge" | "refund" | "dispute" | "adjustment" | (string & {});
                /** @description Which credits moved. */
                bucket: "wallet" | "monthly" | (string & {});
                /** @description Signed amount: grants and releases are positive, holds and charges negative, in GBP pence. */
                amount_cents: number;
                /** @description Currency of the amounts. */
                currency: string;
                /** @description What was available in the bucket afterwards, in GBP pence. */
                balance_after_cents: number;
                /** @description What was held of the bucket afterwards, in GBP pence. */
                held_after_cents: number;
                /** @description What the transaction changed of the debt: negative where it paid the debt, positive where more was taken back than the wallet had; not part of amount_cents, in GBP pence. */
                debt_cents: number;
                /** @description What the account owed afterwards, in GBP pence. */
                debt_after_cents: number;
                /** @description Job of the transaction; null when there is none. */
                job_id: string | null;
                /** @description Top-up tier of the transaction; null when there is none. */
                tier_id: string | null;
                /** @description Transaction that this one reverses; null when there is none. */
                reverses_id: string | null;
                /** @description What happened, for people. */
                description: string;
                /**
                 * Format: date-time
                 * @description When it happened.
                 */
                created_at: string;
            }[];
            /** @description Pass it back as cursor to get the next page; null at the end. */
            nextCursor: string | null;
        };
        /** @description A file, and the format that it is asked for in. */
        ConvertRequest: {
            /** @description What is converted: a file, an artifact, or the scene of a revision. */
            input: {
                /** @description Storage key of an uploaded file of at most 64 MiB; the end of its name says its format. */
                storageKey?: string;
                /** @description Stored artifact of at most 64 MiB. */
                artifact?: components["schemas"]["ArtifactReference"];
                /**
                 * Format: uuid
                 * @description Id of a molecular project, with version.
                 */
                projectId?: string;
                /** @description Version number of a revision of the project. */
                version?: number;
            } & (unknown | unknown | unknown);
            /** @description Format of the converted file, 1 to 32 characters. Pairs: pdb to mmcif, mmcif to pdb, sdf to pdbqt, pdbqt to sdf, mol2 to sdf, smi to sdf, the scene of a revision to mvsx or mvsj. */
            to: string;
        };
        /** @description A conversion of a file. */
        ConversionResponse: {
            /**
             * Format: uuid
             * @description Id of the conversion.
             */
            conversionId: string;
            /** @description Whether the converted file is there. */
            status: "RUNNING" | "SUCCEEDED" | (string & {});
            /**
             * Format: date-time
             * @description When the conversion was first asked for.
             */
            createdAt: string;
            /** @description How far a conversion that runs is, for people; null once the file is there. */
            message: string | null;
            /** @description The converted file; null while the conversion runs. */
            artifact: {
                /**
                 * @description Constant that names the version of this reference.
                 * @enum {string}
                 */
                schema: "svc.docking.artifact/v1";
                /** @description Id of the stored artifact, 1 to 128 characters. */
                artifactId: string;
                /** @description Storage key of the artifact; this field decides which object is meant. */
                storageKey: string;
                /** @description SHA-256 of the object, 64 lowercase hex characters. */
                sha256: string;
                /** @description Size of the object in bytes. */
                byteSize: number;
                /** @description Media type of the object, 1 to 255 characters. */
                mediaType: string;
                /** @description Format of the object. */
                format: "pdb" | "mmcif" | "pdbqt" | "sdf" | "mol2" | "json" | "log" | "mvsx" | "mvsj" | (string & {});
            } | null;
            /** @description What the other format does not say, each with a code. */
            warnings: {
                /** @description Machine-readable warning. */
                code: components["schemas"]["WarningCode"];
                /** @description Warning for people. */
                message: string;
            }[];
        };
        /** @description A project with its first content. */
        CreateProjectRequest: {
            /** @description Name of the project, for people, 1 to 200 characters. */
            name: string;
            /** @description What the project is about, at most 10,000 characters. */
            description?: string;
            /** @description What the revision is about, at most 2,000 characters. */
            message?: string;
            /** @description Content of the revision: any JSON object of at most 5242880 bytes in canonical form (RFC 8785). Members that the service does not know are kept. A member scene is a MolViewSpec scene, of one state or several, with at most 5,000 nodes, 50 states, 64 sources and 20,000 selectors in lists; it names data by /api/v1/molecular/assets/{artifactId} and /api/v1/molecular/structures/{pdbId}?sha256= alone. */
            content: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        };
        /** @description The successor of the head. */
        SaveProjectRequest: {
            /** @description New name of the project, 1 to 200 characters; without it the name stays. */
            name?: string;
            /** @description What the project is about, at most 10,000 characters. */
            description?: string;
            /** @description What the revision is about, at most 2,000 characters. */
            message?: string;
            /** @description Content of the revision: any JSON object of at most 5242880 bytes in canonical form (RFC 8785). Members that the service does not know are kept. A member scene is a MolViewSpec scene, of one state or several, with at most 5,000 nodes, 50 states, 64 sources and 20,000 selectors in lists; it names data by /api/v1/molecular/assets/{artifactId} and /api/v1/molecular/structures/{pdbId}?sha256= alone. */
            content: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /** @description Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed. Required here or in the query, where it may stand as well; both must be equal. */
            expectedVersion?: number;
        };
        /** @description The head that the restore is for. */
        RestoreRevisionRequest: {
            /** @description What the revision is about, at most 2,000 characters. */
            message?: string;
            /** @description Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed. Required here or in the query, where it may stand as well; both must be equal. */
            expectedVersion?: number;
        };
        /** @description What is shared. */
        ShareProjectRequest: {
            /** @description New name of the project, 1 to 200 characters; only with a content. */
            name?: string;
            /** @description What the project is about, at most 10,000 characters. */
            description?: string;
            /** @description What the revision is about, at most 2,000 characters. */
            message?: string;
            /** @description Content that is saved as the successor of the head and then shared; without it the head is shared. */
            content?: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /** @description Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed. Required here or in the query, where it may stand as well; both must be equal. */
            expectedVersion?: number;
        };
        /** @description A project. */
        ProjectResponse: {
            /**
             * Format: uuid
             * @description Id of the project, which stays the same for ever.
             */
            id: string;
            /** @description Name of the project, for people, 1 to 200 characters. */
            name: string;
            /** @description What the project is about, at most 10,000 characters. */
            description: string;
            /** @description Version number of the head. */
            currentVersion: number;
            /** @description SHA-256 of the canonical JSON (RFC 8785) of the head's content. */
            contentSha256: string;
            /**
             * Format: date-time
             * @description When the project was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the head was saved.
             */
            updatedAt: string;
            /** @description The newest share; null without one. */
            share: {
                /**
                 * Format: uuid
                 * @description Id of the share.
                 */
                shareId: string;
                /** @description Version number of the revision that the share shows for ever. */
                version: number;
                /** @description Capability to read the revision without an account. */
                token: string;
                /** @description Page of the share, relative to the address of the service. */
                link: string;
                /**
                 * Format: date-time
                 * @description When the share was made.
                 */
                createdAt: string;
            } | null;
            /** @description All shares that nobody has revoked, newest first. */
            shares: {
                /**
                 * Format: uuid
                 * @description Id of the share.
                 */
                shareId: string;
                /** @description Version number of the revision that the share shows for ever. */
                version: number;
                /** @description Capability to read the revision without an account. */
                token: string;
                /** @description Page of the share, relative to the address of the service. */
                link: string;
                /**
                 * Format: date-time
                 * @description When the share was made.
                 */
                createdAt: string;
            }[];
        };
        /** @description A project with the content of its head. */
        ProjectContentResponse: {
            /**
             * Format: uuid
             * @description Id of the project, which stays the same for ever.
             */
            id: string;
            /** @description Name of the project, for people, 1 to 200 characters. */
            name: string;
            /** @description What the project is about, at most 10,000 characters. */
            description: string;
            /** @description Version number of the head. */
            currentVersion: number;
            /** @description SHA-256 of the canonical JSON (RFC 8785) of the head's content. */
            contentSha256: string;
            /**
             * Format: date-time
             * @description When the project was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the head was saved.
             */
            updatedAt: string;
            /** @description The newest share; null without one. */
            share: {
                /**
                 * Format: uuid
                 * @description Id of the share.
                 */
                shareId: string;
                /** @description Version number of the revision that the share shows for ever. */
                version: number;
                /** @description Capability to read the revision without an account. */
                token: string;
                /** @description Page of the share, relative to the address of the service. */
                link: string;
                /**
                 * Format: date-time
                 * @description When the share was made.
                 */
                createdAt: string;
            } | null;
            /** @description All shares that nobody has revoked, newest first. */
            shares: {
                /**
                 * Format: uuid
                 * @description Id of the share.
                 */
                shareId: string;
                /** @description Version number of the revision that the share shows for ever. */
                version: number;
                /** @description Capability to read the revision without an account. */
                token: string;
                /** @description Page of the share, relative to the address of the service. */
                link: string;
                /**
                 * Format: date-time
                 * @description When the share was made.
                 */
                createdAt: string;
            }[];
            /** @description Content of the revision: any JSON object of at most 5242880 bytes in canonical form (RFC 8785). Members that the service does not know are kept. A member scene is a MolViewSpec scene, of one state or several, with at most 5,000 nodes, 50 states, 64 sources and 20,000 selectors in lists; it names data by /api/v1/molecular/assets/{artifactId} and /api/v1/molecular/structures/{pdbId}?sha256= alone. */
            content: Record<string, unknown>;
        };
        /** @description A page of projects. */
        ProjectListResponse: {
            /** @description Projects, newest first. */
            projects: components["schemas"]["ProjectResponse"][];
            /** @description Pass it back as cursor to get the next page; null at the end. */
            nextCursor: string | null;
        };
        /** @description A revision with its content. */
        RevisionResponse: {
            /**
             * Format: uuid
             * @description Id of the project.
             */
            projectId: string;
            /** @description Version number of the revision. */
            version: number;
            /** @description SHA-256 of the canonical JSON (RFC 8785) of the content. */
            contentSha256: string;
            /** @description Bytes of the canonical JSON. */
            byteSize: number;
            /** @description What the revision is about, at most 2,000 characters. */
            message: string;
            /** @description Version number of the revision that was restored; null for every other one. */
            sourceVersion: number | null;
            /**
             * Format: date-time
             * @description When the revision was saved.
             */
            createdAt: string;
            /** @description Content of the revision: any JSON object of at most 5242880 bytes in canonical form (RFC 8785). Members that the service does not know are kept. A member scene is a MolViewSpec scene, of one state or several, with at most 5,000 nodes, 50 states, 64 sources and 20,000 selectors in lists; it names data by /api/v1/molecular/assets/{artifactId} and /api/v1/molecular/structures/{pdbId}?sha256= alone. */
            content: Record<string, unknown>;
        };
        /** @description A page of revisions. */
        RevisionListResponse: {
            /** @description Revisions, newest first. */
            revisions: {
                /**
                 * Format: uuid
                 * @description Id of the project.
                 */
                projectId: string;
                /** @description Version number of the revision. */
                version: number;
                /** @description SHA-256 of the canonical JSON (RFC 8785) of the content. */
                contentSha256: string;
                /** @description Bytes of the canonical JSON. */
                byteSize: number;
                /** @description What the revision is about, at most 2,000 characters. */
                message: string;
                /** @description Version number of the revision that was restored; null for every other one. */
                sourceVersion: number | null;
                /**
                 * Format: date-time
                 * @description When the revision was saved.
                 */
                createdAt: string;
            }[];
            /** @description Pass it back as cursor to get the next page; null at the end. */
            nextCursor: string | null;
        };
        /** @description The revision that was shared. */
        SharedRevisionResponse: {
            /** @description Name of the project, for people, 1 to 200 characters. */
            name: string;
            /** @description What the project is about, at most 10,000 characters. */
            description: string;
            /** @description Version number of the revision. */
            version: number;
            /** @description SHA-256 of the canonical JSON (RFC 8785) of the content. */
            contentSha256: string;
            /** @description Bytes of the canonical JSON. */
            byteSize: number;
            /**
             * Format: date-time
             * @description When the revision was saved.
             */
            createdAt: string;
            /** @description Content of the revision: any JSON object of at most 5242880 bytes in canonical form (RFC 8785). Members that the service does not know are kept. A member scene is a MolViewSpec scene, of one state or several, with at most 5,000 nodes, 50 states, 64 sources and 20,000 selectors in lists; it names data by /api/v1/molecular/assets/{artifactId} and /api/v1/molecular/structures/{pdbId}?sha256= alone. */
            content: Record<string, unknown>;
        };
        /** @description A receipt of a revision with its signature. */
        SignedRevisionReceipt: {
            /** @description The receipt, as it was signed. */
            receipt: {
                /**
                 * @description Format of the receipt.
                 * @enum {string}
                 */
                schema: "dockyard.revision-receipt/v1";
                /** @description Address of the service. */
                issuer: string;
                /**
                 * Format: uuid
                 * @description Id of the project.
                 */
                projectId: string;
                /** @description Version number of the revision. */
                version: number;
                /** @description Version number of the revision that was restored; null for every other one. */
                sourceVersion: number | null;
                /**
                 * Format: date-time
                 * @description When the revision was saved.
                 */
                savedAt: string;
                /** @description SHA-256 of the canonical JSON (RFC 8785) of the content. */
                contentSha256: string;
                /** @description Bytes of the canonical JSON. */
                byteSize: number;
                /** @description Files that the content names. */
                sources: {
                    /**
                     * Format: uuid
                     * @description Id of the artifact.
                     */
                    artifactId: string;
                    /** @description Name of the file. */
                    name: string;
                    /** @description Size in bytes. */
                    byteSize: number;
                    /** @description SHA-256 of the bytes. */
                    sha256: string;
                    /**
                     * Format: uuid
                     * @description Job that made the file; null for one that was uploaded.
                     */
                    jobId: string | null;
                }[];
                /** @description Entries of the archive that the content names. */
                structures: {
                    /** @description PDB id of the entry. */
                    pdbId: string;
                    /** @description SHA-256 of the file of the entry. */
                    sha256: string;
                }[];
                /** @description Artifacts that the content names and that the account did not have. */
                missing: string[];
                /** @description Jobs that the files came from. */
                jobs: {
                    /**
                     * Format: uuid
                     * @description Id of the job.
                     */
                    jobId: string;
                    /** @description SHA-256 of the canonical JSON of its request, as its receipt has it. */
                    requestSha256: string;
                    /** @description Receipts of its executions. */
                    receipts: {
                        /** @description Number of the execution, counted from 1. */
                        execution: number;
                        /** @description SHA-256 of the canonical JSON (RFC 8785) of the receipt. */
                        sha256: string;
                    }[];
                }[];
            };
            /** @description The signature of the receipt. */
            signature: {
                /**
                 * @description Ed25519 of RFC 8032.
                 * @enum {string}
                 */
                algorithm: "Ed25519";
                /** @description Id of the key that has signed; GET /receipt-keys has its public part. */
                keyId: string;
                /** @description Signature over the UTF-8 of the canonical JSON (RFC 8785) of receipt, in base64url. */
                value: string;
            };
        };
        /** @description One ligand of a run. */
        DockingResult: {
            /**
             * Format: uuid
             * @description Id of the result; the same before and after the ligand is docked.
             */
            id: string;
            /**
             * Format: uuid
             * @description Who asked for it.
             */
            user_id: string;
            /**
             * Format: date-time
             * @description When the record was made.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description Id of the run.
             */
            run_id: string | null;
            /**
             * Format: uuid
             * @description The batch of the run; null for a run of an experiment.
             */
            batch_id: string | null;
            /**
             * Format: uuid
             * @description The job of the run.
             */
            job_id: string;
            /** @description Id of the ligand in its library. */
            ligand_id: string;
            /** @description Name of the ligand. */
            label: string;
            /** @description How far the ligand is. */
            status: "PENDING" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | (string & {});
            /** @description Counted from 1, the lowest affinity first, equal affinities by ligand id, among all docked ligands of the list. Null where it is not known. */
            rank: number | null;
            /** @description Score of the best pose in kcal/mol; a score is no measured affinity. Null where it is not known. */
            best_affinity_kcal_mol: number | null;
            /** @description Minus the score per heavy atom, in kcal/mol. Null where it is not known. */
            ligand_efficiency: number | null;
            /** @description Minus the score over the number of heavy atoms to the power of 0.3, in kcal/mol. Null where it is not known. */
            size_independent_efficiency: number | null;
            /** @description Number of poses. Null where it is not known. */
            pose_count: number | null;
            /** @description Number of poses that pass every check. Null where it is not known. */
            plausible_pose_count: number | null;
            /** @description SMILES of the ligand as it was given; of a ligand that is not docked where it was given as SMILES. */
            smiles_input: string | null;
            /** @description The ligand as it was docked. */
            smiles_docked: string | null;
            /** @description Formal charge as docked, as a number of elementary charges. Null where it is not known. */
            formal_charge: number | null;
            /** @description Number of heavy atoms as docked. Null where it is not known. */
            heavy_atoms: number | null;
            /** @description Molecular weight in g/mol. Null where it is not known. */
            molecular_weight: number | null;
            /** @description Crippen logP, a number without a unit. Null where it is not known. */
            log_p: number | null;
            /** @description Topological polar surface area in Å². Null where it is not known. */
            tpsa: number | null;
            /** @description Number of hydrogen bond donors. Null where it is not known. */
            h_bond_donors: number | null;
            /** @description Number of hydrogen bond acceptors. Null where it is not known. */
            h_bond_acceptors: number | null;
            /** @description Number of rotatable bonds. Null where it is not known. */
            rotatable_bonds: number | null;
            /** @description Quantitative estimate of drug-likeness, a number from 0 to 1. Null where it is not known. */
            qed: number | null;
            /** @description Patterns of PAINS, BRENK and NIH that the ligand has. Null where it is not known. */
            alerts: string[] | null;
            /** @description Murcko scaffold as SMILES; empty for a ligand without rings. Null where it is not known. */
            scaffold: string | null;
            /** @description Score of the best pose by the other scoring function, in kcal/mol. Null where it is not known. */
            second_affinity_kcal_mol: number | null;
            /** @description Place, counted from 1, of the best pose among the poses by the other scoring function. Null where it is not known. */
            second_rank: number | null;
            /** @description Contacts of the best pose that have a direction. Null where they are not known. */
            key_interactions: string[] | null;
            /** @description Number of the cluster of the ligand among the docked ligands of the batch, counted from 1, the largest first (Butina, Morgan fingerprints, Tanimoto similarity of at least 0.6). Null before the batch has ended. */
            cluster: number | null;
            /** @description The states of a ligand with `preparation.states` likely. Its poses and scores are those of the state that won. Null for a ligand that was docked in one state. */
            states: {
                /** @description Number of likely states that the ligand has on paper; up to 16 of them are docked. */
                on_paper: number;
                /** @description Place of the state in `each`, counted from 1, that has the least sum of score and cost. */
                won: number;
                /** @description The docked states, the likeliest first. */
                each: {
                    /** @description SMILES as docked. */
                    smiles: string | null;
                    /** @description Formal charge as a number of elementary charges. */
                    formal_charge: number;
                    /** @description Free energy that the state takes from the binding, in kcal/mol: 1.36 for each unit of pKa above the likeliest one, and the strain of its rings. */
                    cost_kcal_mol: number;
                    /** @description Best score of the state in kcal/mol, the cost not included; null where no pose fits the box. Null where it is not known. */
                    best_affinity_kcal_mol: number | null;
                }[];
            } | null;
            /** @description What to know of the ligand. */
            warnings: {
                /** @description Machine-readable warning. */
                code: components["schemas"]["WarningCode"];
                /** @description Warning for people. */
                message: string;
            }[];
            /** @description Other columns or tags of the library for the ligand. */
            input_properties: {
                [key: string]: string;
            };
            /** @description Number of the line of the library at which the record begins. Null where it is not known. */
            library_line: number | null;
            /** @description How well the control of the run found the deposited ligand; null without a control, or before its end. */
            validation: {
                /** @description The deposited ligand that was docked again. */
                component_id: string;
                /** @description Distance of the best pose from the deposited one, in Å. Null where it is not known. */
                rmsd_top_angstrom: number | null;
                /** @description The smallest distance of a pose from the deposited one, in Å. Null where it is not known. */
                rmsd_best_angstrom: number | null;
                /** @description Number of the mode with the smallest distance. Null where it is not known. */
                best_mode: number | null;
                /** @description Whether the best pose is within 2 Å. */
                passed: boolean;
            } | null;
            /** @description Files of the ligand. */
            artifacts: {
                /**
                 * Format: uuid
                 * @description Id of the file, for its download address.
                 */
                artifact_id: string;
                /** @description Name inside the job. */
                name: string;
                /** @description What the file is. */
                kind: string;
                /** @description Media type of the file. */
                media_type: string;
                /** @description Format of the file, where it has one. */
                format: string | null;
                /** @description Size in bytes. */
                byte_size: number;
                /** @description SHA-256 of the file. */
                sha256: string;
                /** @description Storage key of the file. */
                storage_key: string;
            }[];
            /** @description Why the ligand has no poses; null where it has, waits or runs. */
            failure: {
                /** @description Machine-readable reason. */
                code: components["schemas"]["FailureCode"];
                /** @description Reason for people. */
                message: string;
                /** @description Where it failed: ligand (reading and preparation), dock (engine and machine) or verify (outputs); null for a ligand that was not begun. */
                stage: "ligand" | "dock" | "verify" | (string & {}) | null;
            } | null;
            /**
             * Format: uuid
             * @description The earlier result that this one repeats without a charge; null for a ligand that was docked.
             */
            cached_from_result_id: string | null;
            /** @description The modes that have the asked interactions; null where none were asked for. */
            matched_modes: number[] | null;
        };
        /** @description A page of results. */
        DockingResultListResponse: {
            /** @description Results in the asked order. */
            results: components["schemas"]["DockingResult"][];
            /** @description Whether every job has ended, so that nothing changes any more. */
            final: boolean;
            /** @description Pass it back as cursor to get the next page; null at the end. */
            nextCursor: string | null;
            /** @description Links for people. */
            uiLinks: {
                /** @description Path of the record in the studio; opening it needs the same account. */
                studio: string;
            };
        };
        /** @description A result. */
        DockingResultResponse: {
            result: components["schemas"]["DockingResult"];
            /** @description Links for people. */
            uiLinks: {
                /** @description Path of the record in the studio; opening it needs the same account. */
                studio: string;
            };
        };
        /** @description A page of failures. */
        DockingFailureListResponse: {
            /** @description Failed ligands by id. */
            failures: {
                /**
                 * Format: uuid
                 * @description Id of the result of the ligand.
                 */
                result_id: string;
                /**
                 * Format: uuid
                 * @description Id of the run.
                 */
                run_id: string;
                /** @description Id of the ligand in its library. */
                ligand_id: string;
                /** @description Name of the ligand. */
                label: string;
                /** @description Machine-readable reason. */
                code: components["schemas"]["FailureCode"];
                /** @description Reason for people. */
                message: string;
                /** @description Where it failed: ligand (reading and preparation), dock (engine and machine) or verify (outputs); null for a ligand that was not begun. */
                stage: "ligand" | "dock" | "verify" | (string & {}) | null;
                /** @description Number of the line of the library at which the record begins. Null where it is not known. */
                library_line: number | null;
                /** @description Number of times that the ligand was started. */
                attempts: number;
                /**
                 * Format: date-time
                 * @description When the ligand failed.
                 */
                failed_at: string | null;
            }[];
            /** @description How many ligands have failed with each code, the most frequent first, whatever code was asked for. */
            counts: {
                /** @description Machine-readable reason. */
                code: components["schemas"]["FailureCode"];
                /** @description Number of ligands with this reason. */
                count: number;
            }[];
            /** @description Whether every job has ended, so that nothing changes any more. */
            final: boolean;
            /** @description Pass it back as cursor to get the next page; null at the end. */
            nextCursor: string | null;
            /** @description Links for people. */
            uiLinks: {
                /** @description Path of the record in the studio; opening it needs the same account. */
                studio: string;
            };
        };
        /** @description One mode of a result. */
        DockingPose: {
            /**
             * Format: uuid
             * @description Id of the pose.
             */
            id: string;
            /**
             * Format: uuid
             * @description Who asked for it.
             */
            user_id: string;
            /**
             * Format: date-time
             * @description When the record was made.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description Id of the result.
             */
            result_id: string;
            /** @description Counted from 1, the best first. */
            mode: number;
            /** @description Score in kcal/mol. */
            affinity_kcal_mol: number;
            /** @description Lower bound of the RMSD to mode 1, in Å. Null where it is not known. */
            rmsd_lower_angstrom: number | null;
            /** @description Upper bound of the RMSD to mode 1, in Å. Null where it is not known. */
            rmsd_upper_angstrom: number | null;
            /** @description Number of checks of plausibility that the pose fails. Null where it is not known. */
            failed_checks: number | null;
            /** @description Score by the other scoring function, in kcal/mol. Null where it is not known. */
            second_affinity_kcal_mol: number | null;
            /** @description Number of interactions with the receptor. Null where it is not known. */
            interaction_count: number | null;
            /** @description The file that has all poses, in the order of the modes. */
            artifact: {
                /**
                 * Format: uuid
                 * @description Id of the file, for its download address.
                 */
                artifact_id: string;
                /** @description Name inside the job. */
                name: string;
                /** @description What the file is. */
                kind: string;
                /** @description Media type of the file. */
                media_type: string;
                /** @description Format of the file, where it has one. */
                format: string | null;
                /** @description Size in bytes. */
                byte_size: number;
                /** @description SHA-256 of the file. */
                sha256: string;
                /** @description Storage key of the file. */
                storage_key: string;
            } | null;
        };
        /** @description The poses of a result. */
        DockingPoseListResponse: {
            /** @description All modes, the best first; none of a ligand that is not docked. */
            poses: components["schemas"]["DockingPose"][];
            /** @description Links for people. */
            uiLinks: {
                /** @description Path of the record in the studio; opening it needs the same account. */
                studio: string;
            };
            /** @description Always null: the list is answered whole. */
            nextCursor: string | null;
        };
        /** @description A pose. */
        DockingPoseResponse: {
            pose: components["schemas"]["DockingPose"];
            /** @description Links for people. */
            uiLinks: {
                /** @description Path of the record in the studio; opening it needs the same account. */
                studio: string;
            };
        };
        /** @description The interactions of a pose. */
        DockingInteractionListResponse: {
            /** @description All interactions of the pose. */
            interactions: {
                /**
                 * Format: uuid
                 * @description Id of the interaction.
                 */
                id: string;
                /**
                 * Format: uuid
                 * @description Who asked for it.
                 */
                user_id: string;
                /**
                 * Format: date-time
                 * @description When the record was made.
                 */
                created_at: string;
                /**
                 * Format: uuid
                 * @description Id of the pose.
                 */
                pose_id: string;
                /** @description Type of the interaction. */
                type: "hydrogen_bond" | "salt_bridge" | "metal_coordination" | "halogen_bond" | "pi_stacking" | "pi_cation" | "water_bridge" | "hydrophobic" | (string & {});
                /** @description Which side of a hydrogen bond the ligand is; null for other types. */
                ligand_role: "donor" | "acceptor" | (string & {}) | null;
                /** @description Atom of the receptor. */
                receptor: {
                    /** @description Author chain id. */
                    chain: string;
                    /** @description Author residue number. */
                    residue: number;
                    /** @description Author insertion code. */
                    insertion_code: string | null;
                    /** @description Name of the residue. */
                    residue_name: string;
                    /** @description Name of the atom. */
                    atom: string;
                };
                /** @description Atoms of the ligand, counted from 0 in poses.sdf. */
                ligand_atoms: number[];
                /** @description Distance in Å. */
                distance_angstrom: number;
                /** @description Angle as a number of degrees, for types that have one. Null where it is not known. */
                angle_degrees: number | null;
                /** @description The water of a water bridge; null for other types. */
                water: {
                    /** @description Author chain id. */
                    chain: string;
                    /** @description Author residue number. */
                    residue: number;
                    /** @description Author insertion code. */
                    insertion_code: string | null;
                    /** @description Name of the water. */
                    residue_name: string;
                    /** @description Distance of the water from the ligand, in Å. */
                    distance_angstrom: number;
                } | null;
            }[];
            /** @description False where the interactions were not told or could not be computed: then an empty list says nothing. */
            computed: boolean;
            /** @description Links for people. */
            uiLinks: {
                /** @description Path of the record in the studio; opening it needs the same account. */
                studio: string;
            };
            /** @description Always null: the list is answered whole. */
            nextCursor: string | null;
        };
        DockingExportRequest: {
            /**
             * @description csv and parquet: one row for each result; sdf: poses of docked ligands; smi: SMILES and ids of docked ligands.
             * @enum {string}
             */
            format: "csv" | "sdf" | "parquet" | "smi";
            /**
             * @description affinity: the lowest first; efficiency: the highest first; ligandId: by id. Ligands that are not docked follow by id.
             * @default affinity
             * @enum {string}
             */
            sort?: "affinity" | "efficiency" | "ligandId";
            /** @description Only ligands whose best affinity is at most this, in kcal/mol. */
            affinityAtMost?: number;
            /** @description Only ligands with this warning. */
            warning?: string;
            /** @description Only ligands whose label begins with this. */
            label?: string;
            /** @description Only docked ligands of which this is true; repeated, all of it. At most 16. */
            descriptor?: string[];
            /** @description Only docked ligands whose molecule, as it was docked, has this pattern (SMARTS). */
            smarts?: string;
            /** @description Only ligands of which one pose has this interaction; repeated, one pose must have all of them. At most 7. */
            interaction?: string[];
            /** @description Number of interactions that the pose may lack; fewer than were asked for. */
            maxMissing?: number;
            /**
             * @description Only ligands with this status; left out, all that have ended.
             * @enum {string}
             */
            status?: "SUCCEEDED" | "FAILED" | "CANCELLED";
            /** @description Number of docked ligands, the first in the order, 1 to 10000; left out, all results. */
            topN?: number;
            /** @description Number of ligands of these, 1 to 10000 and at most topN, that differ most from each other by their Morgan fingerprints (RDKit: LeaderPicker at the largest distance that leaves so many); the first in the order is always one of them. */
            diverse?: number;
            /**
             * @description best: mode 1 of each ligand (the default); all: all modes. For sdf alone.
             * @enum {string}
             */
            poses?: "best" | "all";
        };
        /** @description An export. */
        DockingExportResponse: {
            /** @description An export of results. */
            export: {
                /**
                 * Format: uuid
                 * @description Id of the export; the same for the same request over the same results.
                 */
                id: string;
                /**
                 * Format: uuid
                 * @description Who asked for it first.
                 */
                user_id: string;
                /**
                 * Format: date-time
                 * @description When it was asked for first.
                 */
                created_at: string;
                /**
                 * Format: uuid
                 * @description The batch; null for a run.
                 */
                batch_id: string | null;
                /**
                 * Format: uuid
                 * @description The run; null for a batch.
                 */
                run_id: string | null;
                /** @description Format of the file. */
                format: "csv" | "sdf" | "parquet" | "smi" | (string & {});
                /** @description The choice, the order and the filters as they were asked for. */
                query: {
                    /** @description The order of docked ligands. */
                    sort: string;
                    /** @description Only ligands whose best affinity is at most this, in kcal/mol. */
                    affinityAtMost?: number;
                    /** @description Only ligands with this warning. */
                    warning?: string;
                    /** @description Only ligands whose label begins with this. */
                    label?: string;
                    /** @description Only docked ligands of which this is true; repeated, all of it. At most 16. */
                    descriptor?: string[];
                    /** @description Only docked ligands whose molecule, as it was docked, has this pattern (SMARTS). */
                    smarts?: string;
                    /** @description Only ligands of which one pose has this interaction; repeated, one pose must have all of them. At most 7. */
                    interaction?: string[];
                    /** @description Number of interactions that the pose may lack; fewer than were asked for. */
                    maxMissing?: number;
                    /** @description Only ligands with this status; left out, all that have ended. */
                    status?: "SUCCEEDED" | "FAILED" | "CANCELLED" | (string & {});
                    /** @description Number of docked ligands, the first in the order, 1 to 10000; left out, all results. */
                    topN?: number;
                    /** @description Number of ligands of these, 1 to 10000 and at most topN, that differ most from each other by their Morgan fingerprints (RDKit: LeaderPicker at the largest distance that leaves so many); the first in the order is always one of them. */
                    diverse?: number;
                    /** @description Which modes of each ligand. */
                    poses?: "best" | "all" | (string & {});
                };
                /** @description How far the export is. */
                status: "QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED" | (string & {});
                /** @description Number of results in the export: those that were there when it was asked for. */
                result_count: number;
                /** @description Whether every job had ended when the export was asked for, so that no result is missing. */
                complete: boolean;
                /**
                 * Format: date-time
                 * @description When the making began; null before.
                 */
                started_at: string | null;
                /**
                 * Format: date-time
                 * @description When the export ended; null before.
                 */
                finished_at: string | null;
                /** @description The file; null before it is made. */
                artifact: {
                    /**
                     * Format: uuid
                     * @description Id of the file, for its download address.
                     */
                    artifact_id: string;
                    /** @description Name inside the job. */
                    name: string;
                    /** @description What the file is. */
                    kind: string;
                    /** @description Media type of the file. */
                    media_type: string;
                    /** @description Format of the file, where it has one. */
                    format: string | null;
                    /** @description Size in bytes. */
                    byte_size: number;
                    /** @description SHA-256 of the file. */
                    sha256: string;
                    /** @description Storage key of the file. */
                    storage_key: string;
                } | null;
                /** @description Prepared receptor and box of the newest run, beside an sdf; none for a table. */
                beside: {
                    /**
                     * Format: uuid
                     * @description Id of the file, for its download address.
                     */
                    artifact_id: string;
                    /** @description Name inside the job. */
                    name: string;
                    /** @description What the file is. */
                    kind: string;
                    /** @description Media type of the file. */
                    media_type: string;
                    /** @description Format of the file, where it has one. */
                    format: string | null;
                    /** @description Size in bytes. */
                    byte_size: number;
                    /** @description SHA-256 of the file. */
                    sha256: string;
                    /** @description Storage key of the file. */
                    storage_key: string;
                }[];
                /** @description Why there is no file; null where there is or will be one. */
                failure: {
                    /**
                     * @description Why there is no file. Treat unknown codes generically.
                     *
                     *     `EXPORT_SOURCE_CHANGED`: The poses of a result are not stored any more, or their bytes are not those that were verified. Dock the ligand that is named again, or ask for an export in which the ligand is not; then tell the operator of the loss.
                     *
                     *     `EXPORT_CANCELLED`: An operator has stopped the making of the export. Send the same request again, which makes the same export anew.
                     *
                     *     `EXPORT_NOT_MADE`: The export could not be made in the time that there is for one. Send the same request later, which makes the same export anew; ask for fewer results where this happens again.
                     */
                    code: "EXPORT_SOURCE_CHANGED" | "EXPORT_CANCELLED" | "EXPORT_NOT_MADE" | (string & {});
                    /** @description Reason for people. */
                    message: string;
                } | null;
            };
            /** @description Links for people. */
            uiLinks: {
                /** @description Path of the record in the studio; opening it needs the same account. */
                studio: string;
            };
        };
        CreateDockingExperimentRequest: {
            /** @description Name, 1 to 200 characters. */
            name: string;
            /** @description The receptor: a registered artifact, or a structure with what is meant of it. */
            receptor: {
                /**
                 * Format: uuid
                 * @description Id of a registered artifact: a structure in pdb or mmcif, of which assembly 1 and all chains are meant.
                 */
                artifactId: string;
            } | {
                /** @description Where the structure of the receptor comes from. */
                source: {
                    /**
                     * @description An entry of the Protein Data Bank.
                     * @enum {string}
                     */
                    kind: "pdb";
                    /** @description PDB id: a digit and three letters or digits. */
                    pdbId: string;
                } | {
                    /**
                     * @description A stored structure file.
                     * @enum {string}
                     */
                    kind: "artifact";
                    /** @description The structure file, pdb or mmcif. */
                    artifact: components["schemas"]["ArtifactReference"];
                };
                /**
                 * @description Biological assembly: its number, deposited or asymmetric.
                 * @default 1
                 */
                assemblyId?: string;
                /**
                 * @description Model, counted from 1.
                 * @default 1
                 */
                model?: number;
                /**
                 * @description Author chain ids to keep, 1 to 128; null means all.
                 * @default null
                 */
                chains?: string[] | null;
                /**
                 * @description How the receptor is prepared; what is left out has its default.
                 * @default {}
                 */
                preparation?: components["schemas"]["ReceptorPreparation"];
            };
            /** @description The ligand: a registered artifact, a ligand that was resolved, or a whole ligand. */
            ligand: {
                /**
                 * Format: uuid
                 * @description Id of a registered artifact: a ligand in sdf, mol2 or pdbqt.
                 */
                artifactId: string;
            } | {
                /** @description resolutionToken of a candidate, 32 to 8192 characters; good for 24 hours. */
                resolutionToken: string;
                /** @description Name shown to people, 1 to 512 characters. */
                label?: string;
            } | components["schemas"]["LigandIdentity"];
            /** @description Box, search and control dockings. */
            parameters: {
                /** @description Where ligands are docked. An explicit box needs centre and size. */
                box: {
                    /** @description Centre in Å along x, y and z. Sent with explicit alone; else the service fills it in. */
                    center?: [
                        number,
                        number,
                        number
                    ] | null;
                    /** @description Edge lengths in Å along x, y and z. Without them the service makes the box fit. */
                    size?: [
                        number,
                        number,
                        number
                    ] | null;
                    /** @description How the box is found. */
                    derivation: {
                        /**
                         * @description The box is the one that is sent.
                         * @enum {string}
                         */
                        kind: "explicit";
                    } | {
                        /**
                         * @description The box lies around a ligand.
                         * @enum {string}
                         */
                        kind: "ligand";
                        /** @description Component id of the ligand, 1 to 8 characters; chain and residue tell it from other copies. */
                        componentId: string;
                        /** @description Author chain id of the structure, 1 to 16 characters. */
                        chain?: string;
                        /** @description Author residue number in the chain. */
                        residue?: number;
                        /** @description Author insertion code of the residue, at most 4 characters. */
                        insertionCode?: string;
                    } | {
                        /**
                         * @description The box lies around residues.
                         * @enum {string}
                         */
                        kind: "residues";
                        /** @description The residues, 1 to 256. */
                        residues: components["schemas"]["ResidueReference"][];
                    };
                };
                /** @description How ligands are searched. */
                protocol: {
                    /**
                     * @description Number of searches of each ligand, 1 to 128.
                     * @default 8
                     */
                    exhaustiveness?: number;
                    /**
                     * @description Largest number of modes of a ligand.
                     * @default 9
                     */
                    numModes?: number;
                    /**
                     * @description Largest distance of a mode to the best one in kcal/mol.
                     * @default 3
                     */
                    energyRangeKcalMol?: number;
                    /**
                     * @description Seed of the search, a number; the same seed gives the same poses.
                     * @default 1
                     */
                    seed?: number;
                    /**
                     * @description Number of threads, kept for the record: each ligand is docked on one core.
                     * @default 1
                     */
                    cpuThreads?: number;
                    /**
                     * @description Function that scores poses; absent means vina. Scores of different functions cannot be compared.
                     * @enum {string}
                     */
                    scoringFunction?: "vina" | "vinardo";
                };
                /** @description Your estimate of the run time in seconds; used for planning only. */
                estimatedRuntimeSeconds?: number;
                /** @description Control dockings beside the ligands. */
                validation?: components["schemas"]["DockingValidation"];
            };
        };
        DockingExperimentResponse: {
            /** @description An experiment: a protocol with its ligand. */
            experiment: {
                /**
                 * Format: uuid
                 * @description Id of the record.
                 */
                id: string;
                /**
                 * Format: uuid
                 * @description Id of the person or key owner who made the record.
                 */
                user_id: string;
                /**
                 * Format: date-time
                 * @description When the record was made.
                 */
                created_at: string;
                /** @description Name of the experiment. */
                name: string;
                /**
                 * Format: uuid
                 * @description Artifact of the receptor; null where receptor_identity has it.
                 */
                receptor_artifact_id: string | null;
                /** @description The receptor as it was sent; null where an artifact names it. */
                receptor_identity: Record<string, unknown> | null;
                /**
                 * Format: uuid
                 * @description Artifact of the ligand; null where ligand_identity has it.
                 */
                ligand_artifact_id: string | null;
                /** @description The ligand; null where an artifact names it. */
                ligand_identity: Record<string, unknown> | null;
                /** @description Box, search and control dockings; box.center is null until a run has found the box. */
                parameters: Record<string, unknown> | null;
            };
            /** @description Links to pages for people, relative to the service. */
            uiLinks: {
                /** @description Opens the resource in the studio. */
                studio: string;
            };
        };
        DockingExperimentListResponse: {
            /** @description Experiments, newest first. */
            experiments: components["schemas"]["DockingExperimentResponse"][];
            /** @description Pass it back as cursor to get the next page; null at the end. */
            nextCursor: string | null;
        };
        CreateDockingRunRequest: {
            /** @description What happens to tasks whose instance is lost. */
            recovery?: {
                /**
                 * @description standard: on-demand instances, and a task is given up when it has lost four; resumable: spot instances where the service offers such, which cost less and may be taken away, and after a while without one an instance on demand at the same price; lost instances are replaced as long as the job lives, at growing pauses.
                 * @default standard
                 * @enum {string}
                 */
                mode?: "standard" | "resumable";
            };
            /** @description The most that may be held, in minor units (pence); what needs more is refused. */
            limitCents?: number;
            /**
             * @description verified (the default): verified results of equal dockings are taken; never: all are docked.
             * @enum {string}
             */
            reuse?: "verified" | "never";
        };
        DockingRunResponse: {
            /** @description A run: one job of an experiment or batch. */
            run: {
                /**
                 * Format: uuid
                 * @description Id of the record.
                 */
                id: string;
                /**
                 * Format: uuid
                 * @description Id of the person or key owner who made the record.
                 */
                user_id: string;
                /**
                 * Format: date-time
                 * @description When the record was made.
                 */
                created_at: string;
                /**
                 * Format: uuid
                 * @description Experiment of the run; null for a run of a batch.
                 */
                experiment_id: string | null;
                /**
                 * Format: uuid
                 * @description Batch of the run; null for a run of an experiment.
                 */
                batch_id: string | null;
                /** @description Number of the run, counted from 1. */
                number: number;
                /**
                 * Format: uuid
                 * @description Job that works on the run.
                 */
                job_id: string;
                /** @description Id of the request that started the run. */
                request_id: string;
                /** @description State of the job. */
                status: components["schemas"]["JobState"];
                /** @description What docks the ligands. */
                engine: {
                    /** @description Id of the tool. */
                    name: string;
                    /** @description Version of the program that has docked, as results tell it; null before the first result. */
                    version: string | null;
                    /** @description SHA-256 of the code that has docked; null before the first result. */
                    toolchain_sha256: string | null;
                    /** @description Digest of the image of the workers, as prepared receptors name it; null before the first result. */
                    worker_image_digest: string | null;
                };
                /** @description Seed of the request, a number; null where it had none. */
                seed_requested: number | null;
                /** @description Seed of every ligand of the run, a number. */
                seed_effective: number | null;
                /** @description Whether verified results of equal dockings are taken. */
                reuse: "verified" | "never" | (string & {});
                /** @description Cache key and heavy atoms of the prepared receptor; null until it is prepared. */
                prepared_receptor: Record<string, unknown> | null;
                /** @description The box that took effect; null until it is known. */
                box: {
                    /** @description Centre in Å. */
                    center: number[];
                    /** @description Edge lengths in Å. */
                    size: number[];
                } | null;
                /** @description How many ligands stand how; the other counts sum to total. */
                counts: {
                    /** @description Number of ligands in all. */
                    total: number;
                    /** @description Number of ligands that are docked and verified. */
                    succeeded: number;
                    /** @description Number of ligands that failed. */
                    failed: number;
                    /** @description Number of ligands that are being docked. */
                    running: number;
                    /** @description Number of ligands that wait. */
                    pending: number;
                    /** @description Number of ligands that are not docked any more. */
                    cancelled: number;
                };
                /** @description Best affinity so far in kcal/mol; a score, not a measurement. Null before the first result. */
                best_affinity_kcal_mol: number | null;
                /** @description Why the run failed as a whole; null otherwise. */
                failure: {
                    /** @description Machine-readable cause. */
                    code: components["schemas"]["FailureCode"];
                    /** @description Cause for people. */
                    message: string;
                    /** @description What failed: prepare, dock or another step. */
                    stage: string;
                } | null;
                /**
                 * Format: date-time
                 * @description When work began; null before.
                 */
                started_at: string | null;
                /**
                 * Format: date-time
                 * @description When work ended; null before.
                 */
                finished_at: string | null;
            };
            /**
             * Format: uuid
             * @description Job of the run, for status, bill and outputs.
             */
            jobId: string;
            /** @description Links to pages for people, relative to the service. */
            uiLinks: {
                /** @description Opens the resource in the studio. */
                studio: string;
            };
            /** @description True when an earlier request with the same idempotency key made it. */
            idempotentReplay?: boolean;
        };
        DockingRunListResponse: {
            /** @description Runs, newest first. */
            runs: components["schemas"]["DockingRunResponse"][];
            /** @description Pass it back as cursor to get the next page; null at the end. */
            nextCursor: string | null;
        };
        CreateDockingBatchRequest: {
            /** @description Name, 1 to 200 characters. */
            name: string;
            /** @description The tool that works on the ligands; left out, the one that docks for customers. */
            engine?: string;
            /** @description The receptor: a registered artifact, or a structure with what is meant of it. */
            receptor?: {
                /**
                 * Format: uuid
                 * @description Id of a registered artifact: a structure in pdb or mmcif, of which assembly 1 and all chains are meant.
                 */
                artifactId: string;
            } | {
                /** @description Where the structure of the receptor comes from. */
                source: {
                    /**
                     * @description An entry of the Protein Data Bank.
                     * @enum {string}
                     */
                    kind: "pdb";
                    /** @description PDB id: a digit and three letters or digits. */
                    pdbId: string;
                } | {
                    /**
                     * @description A stored structure file.
                     * @enum {string}
                     */
                    kind: "artifact";
                    /** @description The structure file, pdb or mmcif. */
                    artifact: components["schemas"]["ArtifactReference"];
                };
                /**
                 * @description Biological assembly: its number, deposited or asymmetric.
                 * @default 1
                 */
                assemblyId?: string;
                /**
                 * @description Model, counted from 1.
                 * @default 1
                 */
                model?: number;
                /**
                 * @description Author chain ids to keep, 1 to 128; null means all.
                 * @default null
                 */
                chains?: string[] | null;
                /**
                 * @description How the receptor is prepared; what is left out has its default.
                 * @default {}
                 */
                preparation?: components["schemas"]["ReceptorPreparation"];
            };
            /** @description Ligands to dock, 1 to 10000, in place of libraryArtifactId; no two may have the same ligandId. */
            ligands?: components["schemas"]["LigandIdentity"][];
            /**
             * Format: uuid
             * @description Id of a registered library in smi, csv or sdf, of up to 10000 records, in place of ligands.
             */
            libraryArtifactId?: string;
            /** @description How every ligand of the library is prepared; each one of ligands says so itself. */
            ligandPreparation?: {
                /**
                 * @description pH at which the ligand is protonated, 0 to 14.
                 * @default 7.4
                 */
                protonationPh?: number;
                /**
                 * @description model (the default): charges are computed for the pH; as_given: charges and hydrogens stay as they were sent.
                 * @enum {string}
                 */
                protonation?: "model" | "as_given";
                /**
                 * @description as_sent (the default): the ligand is docked in the tautomer that was sent; likely: where that hardly occurs in water, in the one that does. Not with protonation as_given.
                 * @enum {string}
                 */
                tautomer?: "as_sent" | "likely";
                /**
                 * @description single (the default): the ligand is docked in one state, with one isomer of what its stereo leaves open; likely: in each likely one, and the best by score and cost is the result: up to 8 open isomers (both of a racemate), both forms of each group whose pKa is within one unit of the pH, likely tautomers; up to 16 in all. Not with protonation as_given.
                 * @enum {string}
                 */
                states?: "single" | "likely";
                /**
                 * @description Hydrogens are always added.
                 * @default true
                 * @enum {boolean}
                 */
                addHydrogens?: true;
                /**
                 * @description Coordinates are always generated.
                 * @default true
                 * @enum {boolean}
                 */
                generate3d?: true;
            };
            /** @description Box, search and control dockings. */
            parameters?: {
                /** @description Where ligands are docked. An explicit box needs centre and size. */
                box: {
                    /** @description Centre in Å along x, y and z. Sent with explicit alone; else the service fills it in. */
                    center?: [
                        number,
                        number,
                        number
                    ] | null;
                    /** @description Edge lengths in Å along x, y and z. Without them the service makes the box fit. */
                    size?: [
                        number,
                        number,
                        number
                    ] | null;
                    /** @description How the box is found. */
                    derivation: {
                        /**
                         * @description The box is the one that is sent.
                         * @enum {string}
                         */
                        kind: "explicit";
                    } | {
                        /**
                         * @description The box lies around a ligand.
                         * @enum {string}
                         */
                        kind: "ligand";
                        /** @description Component id of the ligand, 1 to 8 characters; chain and residue tell it from other copies. */
                        componentId: string;
                        /** @description Author chain id of the structure, 1 to 16 characters. */
                        chain?: string;
                        /** @description Author residue number in the chain. */
                        residue?: number;
                        /** @description Author insertion code of the residue, at most 4 characters. */
                        insertionCode?: string;
                    } | {
                        /**
                         * @description The box lies around residues.
                         * @enum {string}
                         */
                        kind: "residues";
                        /** @description The residues, 1 to 256. */
                        residues: components["schemas"]["ResidueReference"][];
                    };
                };
                /** @description How ligands are searched. */
                protocol: {
                    /**
                     * @description Number of searches of each ligand, 1 to 128.
                     * @default 8
                     */
                    exhaustiveness?: number;
                    /**
                     * @description Largest number of modes of a ligand.
                     * @default 9
                     */
                    numModes?: number;
                    /**
                     * @description Largest distance of a mode to the best one in kcal/mol.
                     * @default 3
                     */
                    energyRangeKcalMol?: number;
                    /**
                     * @description Seed of the search, a number; the same seed gives the same poses.
                     * @default 1
                     */
                    seed?: number;
                    /**
                     * @description Number of threads, kept for the record: each ligand is docked on one core.
                     * @default 1
                     */
                    cpuThreads?: number;
                    /**
                     * @description Function that scores poses; absent means vina. Scores of different functions cannot be compared.
                     * @enum {string}
                     */
                    scoringFunction?: "vina" | "vinardo";
                };
                /** @description Your estimate of the run time in seconds; used for planning only. */
                estimatedRuntimeSeconds?: number;
                /** @description Control dockings beside the ligands. */
                validation?: components["schemas"]["DockingValidation"];
            };
            dockingExecution?: components["schemas"]["DockingExecution"];
            /** @description What happens to tasks whose instance is lost. */
            recovery?: {
                /**
                 * @description standard: on-demand instances, and a task is given up when it has lost four; resumable: spot instances where the service offers such, which cost less and may be taken away, and after a while without one an instance on demand at the same price; lost instances are replaced as long as the job lives, at growing pauses.
                 * @default standard
                 * @enum {string}
                 */
                mode?: "standard" | "resumable";
            };
            /** @description The most that may be held, in minor units (pence); what needs more is refused. */
            limitCents?: number;
            /**
             * @description verified (the default): verified results of equal dockings are taken; never: all are docked.
             * @enum {string}
             */
            reuse?: "verified" | "never";
            /** @description Whether ligands are only prepared, and none is docked. */
            dryRun?: boolean;
            /** @description When docking stops although ligands are left. Ligands are docked in an order that the seed decides; a batch stops at the same ligand on any number of machines. The rest is cancelled and not charged. */
            stopWhen?: {
                /** @description Number of the best ligands that are looked at, 1 to 1000. */
                topN: number;
                /** @description Number of docked ligands in a row that must leave them as they are, 1 to 10000. */
                unchangedFor: number;
            };
            /** @description Whether one ligand in a hundred, and at least five, is docked again once the batch is done, with its seed and with another one. Costs nothing. */
            sample?: boolean;
            /** @description Kept with the job, for plugins and tools. */
            metadata?: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        };
        DockingBatchResponse: {
            /** @description A batch: many ligands against one receptor. */
            batch: {
                /**
                 * Format: uuid
                 * @description Id of the record.
                 */
                id: string;
                /**
                 * Format: uuid
                 * @description Id of the person or key owner who made the record.
                 */
                user_id: string;
                /**
                 * Format: date-time
                 * @description When the record was made.
                 */
                created_at: string;
                /** @description Name of the batch. */
                name: string;
                /** @description Tool that works on the ligands. */
                engine: string;
                /**
                 * Format: uuid
                 * @description Job of the newest run.
                 */
                job_id: string;
                /**
                 * Format: uuid
                 * @description Newest run of the batch.
                 */
                run_id: string;
                /** @description Number of runs that the batch has. */
                runs: number;
                /** @description State of the newest run; at the end, the end over all ligands. */
                status: components["schemas"]["JobState"];
                /**
                 * Format: uuid
                 * @description Artifact of the receptor, where one was named.
                 */
                receptor_artifact_id: string | null;
                /** @description The receptor; null for engines without one. */
                receptor_identity: Record<string, unknown> | null;
                /** @description Box, search and control dockings; box.center is null until the box is known. */
                parameters: Record<string, unknown> | null;
                /**
                 * Format: uuid
                 * @description Index of the ligands.
                 */
                library_id: string | null;
                /** @description Digest of the library. */
                library_sha256: string;
                /** @description Number of records of the library. */
                ligand_count: number;
                /** @description Number of ligands that travel together. */
                shard_size: number;
                /** @description Whether verified results of equal dockings are taken. */
                reuse: "verified" | "never" | (string & {});
                /** @description Whether ligands are only prepared. */
                dry_run: boolean;
                /** @description When docking stops although ligands are left; null where all are docked. */
                stop_when: {
                    /** @description Number of the best ligands that are looked at. */
                    topN: number;
                    /** @description Number of docked ligands in a row that leave them as they are. */
                    unchangedFor: number;
                } | null;
                /** @description Where the rule has stopped the batch; null where it has not. */
                stopped_at: {
                    /** @description The last ligand that counts. */
                    ligand_id: string;
                    /** @description Its place in the order of docking, counted from 1. */
                    place: number;
                } | null;
                /** @description Whether some ligands are docked again for their reproducibility. */
                sample: boolean;
                /** @description How every ligand of a stored library is prepared; null where each ligand says so itself. */
                ligand_preparation: Record<string, unknown> | null;
                /** @description What to know of the batch as a whole; what to know of a ligand stands with its result. */
                warnings: {
                    /** @description Machine-readable warning. */
                    code: components["schemas"]["WarningCode"];
                    /** @description Warning for people. */
                    message: string;
                }[];
                /** @description What the sample has shown so far; only where a batch with a sample is read by its id. */
                reproducibility?: {
                    /** @description Docked again with the seed of the batch; null until it has begun, and where the batch has ended without a docked ligand. */
                    same_seed: {
                        /** @description How docking again stands. */
                        status: components["schemas"]["JobState"];
                        /** @description Number that seeds what is random in docking again. */
                        seed: number | null;
                        /** @description Number of ligands that are docked again. */
                        ligands: number;
                        /** @description Number of these that are docked in both. */
                        compared: number;
                        /** @description Number of these that were docked on one class of processors both times; another class gives other bytes. */
                        same_cpu_class: number;
                        /** @description Share of the ligands of one class of processors whose results have the same bytes. A number from 0 to 1; null while nothing is compared. */
                        identical_share: number | null;
                        /** @description Share of the compared ligands whose best scores are within 0.3 kcal/mol. A number from 0 to 1; null while nothing is compared. */
                        within_share: number | null;
                        /** @description Why nothing was docked again: it was refused, or failed as a whole; null otherwise. */
                        failure: {
                            /** @description Machine-readable cause. */
                            code: components["schemas"]["FailureCode"];
                            /** @description Cause for people. */
                            message: string;
                            /** @description What failed: prepare, dock or another step. */
                            stage: string;
                        } | null;
                    } | null;
                    /** @description Docked again with another seed; null until it has begun, and where the batch has ended without a docked ligand. */
                    other_seed: {
                        /** @description How docking again stands. */
                        status: components["schemas"]["JobState"];
                        /** @description Number that seeds what is random in docking again. */
                        seed: number | null;
                        /** @description Number of ligands that are docked again. */
                        ligands: number;
                        /** @description Number of these that are docked in both. */
                        compared: number;
                        /** @description Number of these that were docked on one class of processors both times; another class gives other bytes. */
                        same_cpu_class: number;
                        /** @description Share of the ligands of one class of processors whose results have the same bytes. A number from 0 to 1; null while nothing is compared. */
                        identical_share: number | null;
                        /** @description Share of the compared ligands whose best scores are within 0.3 kcal/mol. A number from 0 to 1; null while nothing is compared. */
                        within_share: number | null;
                        /** @description Why nothing was docked again: it was refused, or failed as a whole; null otherwise. */
                        failure: {
                            /** @description Machine-readable cause. */
                            code: components["schemas"]["FailureCode"];
                            /** @description Cause for people. */
                            message: string;
                            /** @description What failed: prepare, dock or another step. */
                            stage: string;
                        } | null;
                    } | null;
                };
                /** @description How well the ranking finds the actives, by itself where a column named active, activity, class, label or type (also is_active, active_flag) marks actives and others; only where a batch is read by its id that has ended. */
                enrichment?: {
                    /** @description Column or tag of the library that marks actives. */
                    column: string;
                    /** @description Number of ligands that it marks and that have ended. */
                    ligands: number;
                    /** @description Number of actives among them. */
                    actives: number;
                    /** @description Number of ligands that have ended and that it does not mark; these are left out. */
                    unmarked: number;
                    /** @description Area under the ROC curve, a number from 0 to 1; ligands that failed come last. */
                    roc_auc: number;
                    /** @description Its interval of 95 % (DeLong), lower and upper end. */
                    roc_auc_interval: number[];
                    /** @description Number of times as many actives in the first 1 % as in all. */
                    enrichment_1_percent: number;
                    /** @description Number of times as many actives in the first 5 % as in all. */
                    enrichment_5_percent: number;
                    /** @description BEDROC at alpha 20, a number from 0 to 1. */
                    bedroc: number;
                };
                /** @description What a dry run has found so far; only where a dry run is read by its id. */
                dry_run_report?: {
                    /** @description Number of ligands that differ. */
                    ligands: number;
                    /** @description Number of ligands that can be docked. */
                    ready: number;
                    /** @description Number of ligands that failed, by code. */
                    failures: {
                        [key: string]: number;
                    };
                    /** @description Number of ready ligands with a warning, by code of the warning. */
                    warnings: {
                        [key: string]: number;
                    };
                    /** @description Number of ready ligands by how many likely states each would be docked in; empty where one state was asked for. */
                    states: {
                        [key: string]: number;
                    };
                    /** @description Price of docking the ligands that are ready; null: none is ready. */
                    price: {
                        /** @description Price in units of currency, of each ligand in the states that were found. */
                        estimated_cost: number;
                        /** @description Currency of the price. */
                        currency: string;
                        /** @description Currency of the credits. */
                        credit_currency: string;
                        /** @description Units of credit_currency for one unit of currency, a number. */
                        fx_rate: number;
                        /** @description What would be held, in pence. */
                        held_cents: number;
                    } | null;
                };
                /** @description How many ligands stand how; the other counts sum to total. */
                counts: {
                    /** @description Number of ligands in all. */
                    total: number;
                    /** @description Number of ligands that are docked and verified. */
                    succeeded: number;
                    /** @description Number of ligands that failed. */
                    failed: number;
                    /** @description Number of ligands that are being docked. */
                    running: number;
                    /** @description Number of ligands that wait. */
                    pending: number;
                    /** @description Number of ligands that are not docked any more. */
                    cancelled: number;
                };
                /** @description Best affinity so far in kcal/mol; a score, not a measurement. Null before the first result. */
                best_affinity_kcal_mol: number | null;
                /** @description Why the newest run failed as a whole, such as a receptor that cannot be read or a required control that has missed; null otherwise. */
                failure: {
                    /** @description Machine-readable cause. */
                    code: components["schemas"]["FailureCode"];
                    /** @description Cause for people. */
                    message: string;
                    /** @description What failed: prepare, dock or another step. */
                    stage: string;
                } | null;
                /**
                 * Format: date-time
                 * @description When work began; null before.
                 */
                started_at: string | null;
                /**
                 * Format: date-time
                 * @description When work ended; null before.
                 */
                finished_at: string | null;
            };
            /**
             * Format: uuid
             * @description Job of the newest run, for status, bill and outputs.
             */
            jobId: string;
            /** @description Links to pages for people, relative to the service. */
            uiLinks: {
                /** @description Opens the resource in the studio. */
                studio: string;
            };
            /** @description True when an earlier request with the same idempotency key made it. */
            idempotentReplay?: boolean;
        };
        DockingBatchListResponse: {
            /** @description Batches, newest first. */
            batches: components["schemas"]["DockingBatchResponse"][];
            /** @description Pass it back as cursor to get the next page; null at the end. */
            nextCursor: string | null;
        };
        RetryFailedRequest: {
            /** @description Failure codes whose ligands are docked again; left out, those that blame the engine or the machine. */
            codes?: string[];
            /** @description The most that may be held, in minor units (pence); what needs more is refused. */
            limitCents?: number;
        };
        /** @description Which stored object becomes an artifact. */
        RegisterArtifactRequest: {
            /** @description Storage key that an upload answered. */
            storageKey: string;
            /**
             * @description Format of the stored object. A ligand library is smi, csv (commas, semicolons or tabs) or sdf, each also packed with gzip.
             * @enum {string}
             */
            format: "pdb" | "mmcif" | "pdbqt" | "sdf" | "mol2" | "json" | "log" | "smi" | "csv";
            /** @description Name shown to people, 1 to 512 characters. */
            label?: string;
        };
        /** @description A registered artifact. */
        ArtifactResponse: {
            /** @description The reference to send in requests. */
            artifact: components["schemas"]["RegisteredArtifact"];
            /** @description Whether the bytes were read and their digest computed. */
            verified: boolean;
            /**
             * Format: date-time
             * @description When the bytes were verified.
             */
            verifiedAt: string;
            /** @description What made the bytes. */
            provenance: {
                /**
                 * @description Whether an upload or a job made the bytes.
                 * @enum {string}
                 */
                kind: "upload";
                /**
                 * Format: uuid
                 * @description Id of the upload.
                 */
                uploadId: string;
            } | {
                /**
                 * @description Whether an upload or a job made the bytes.
                 * @enum {string}
                 */
                kind: "export";
                /**
                 * Format: uuid
                 * @description Id of the export.
                 */
                exportId: string;
            } | {
                /**
                 * @description Whether an upload or a job made the bytes.
                 * @enum {string}
                 */
                kind: "task";
                /**
                 * Format: uuid
                 * @description Id of the job.
                 */
                jobId: string;
                /** @description Index of the task in the job, from 0; null for a file of the whole job. */
                taskIndex: number | null;
            };
        };
        /** @description Where to download an artifact. */
        DownloadUrlResponse: {
            /**
             * Format: uuid
             * @description Id of the artifact.
             */
            artifactId: string;
            /**
             * Format: uri
             * @description Presigned address for a GET; ranges may be asked for.
             */
            url: string;
            /**
             * @description Method to use: always GET.
             * @enum {string}
             */
            method: "GET";
            /** @description Life of the address in seconds. */
            expiresIn: number;
            /**
             * Format: date-time
             * @description When the address ends.
             */
            expiresAt: string;
            /** @description Name that the download is given. */
            filename: string;
            /** @description Media type that the download is given. */
            mediaType: string;
            /** @description Size of the file in bytes. */
            byteSize: number;
            /** @description SHA-256 of the file, 64 lowercase hex characters. */
            sha256: string;
        };
        /** @description Which ligand is looked for. */
        ResolveLigandRequest: {
            /** @description What the ligand is called: an id or name of the Chemical Component Dictionary, an ordinary name of a drug or reagent, an InChI, an InChIKey of a molecule that is known here, or SMILES; 1 to 512 characters. */
            query: string;
            /**
             * @description What the query is; without it each of them is tried, and CO is cobalt and methanol.
             * @enum {string}
             */
            kind?: "ccd" | "name" | "smiles";
        };
        /** @description What a query may mean. */
        ResolveLigandResponse: {
            /** @description The likeliest first: the component of this id, the query as SMILES, then names. */
            candidates: {
                /** @description Send it as confirmation.token with this query and sourceId; good for 24 hours. */
                resolutionToken: string;
                /** @description Name to show: that of the dictionary, or the query. */
                label: string;
                /** @description Id of the candidate: the component id, or the SHA-256 of its canonical SMILES. */
                sourceId: string;
                /** @description The source to send in a ligand: a component id or the canonical SMILES. */
                source: {
                    /**
                     * @description Which kind of source this is.
                     * @enum {string}
                     */
                    kind: "ccd";
                    /** @description Component id of the Chemical Component Dictionary, 1 to 8 letters or digits. */
                    componentId: string;
                } | {
                    /**
                     * @description Which kind of source this is.
                     * @enum {string}
                     */
                    kind: "smiles";
                    /** @description SMILES of the ligand, 1 to 4096 characters. */
                    smiles: string;
                };
                /** @description What a candidate looks like, and the state that it would be docked in. */
                preview: {
                    /** @description Canonical SMILES of the structure as it is drawn. */
                    canonicalSmiles: string;
                    /** @description Formula by Hill, with the charge at its end, such as C2H3O2-. */
                    formula: string;
                    /** @description Charge of the structure as it is drawn, as the number of elementary charges. */
                    formalCharge: number;
                    /** @description pH of the next two fields: the default of a ligand. */
                    protonationPh: number;
                    /** @description Charge that the ligand is docked with at this pH, as the number of elementary charges; null where a warning says why it is not told. */
                    chargeAtPh: number | null;
                    /** @description SMILES of that state, salts taken away; null where chargeAtPh is. */
                    smilesAtPh: string | null;
                    /** @description Picture of 320 by 240 pixels as one SVG element, without scripts or anything to load. */
                    svg: string;
                    /** @description What the preparation would warn of, or refuse, with the codes of a job. */
                    warnings: {
                        /** @description Machine-readable warning. */
                        code: components["schemas"]["WarningCode"];
                        /** @description Warning for people. */
                        message: string;
                    }[];
                };
            }[];
            /** @description Why there is no candidate, or not every one. */
            warnings: {
                /** @description Machine-readable warning. */
                code: components["schemas"]["WarningCode"];
                /** @description Warning for people. */
                message: string;
            }[];
        };
        /** @description Which receptor to inspect, and which part of it is meant. */
        InspectReceptorRequest: {
            /** @description Where the receptor comes from: a PDB id or a stored artifact, as a docking takes it. */
            source: {
                /**
                 * @description Which kind of source this is.
                 * @enum {string}
                 */
                kind: "pdb";
                /** @description PDB id of the receptor: a digit and three letters or digits. */
                pdbId: string;
            } | {
                /**
                 * @description Which kind of source this is.
                 * @enum {string}
                 */
                kind: "artifact";
                /** @description Stored structure file of the receptor, at most 256 MiB. */
                artifact: {
                    /**
                     * @description Constant that names the version of this reference.
                     * @enum {string}
                     */
                    schema: "svc.docking.artifact/v1";
                    /** @description Id of the stored artifact, 1 to 128 characters. */
                    artifactId: string;
                    /** @description Storage key of the artifact; this field decides which object is meant. */
                    storageKey: string;
                    /** @description SHA-256 of the object, 64 lowercase hex characters. */
                    sha256: string;
                    /** @description Size of the object in bytes. */
                    byteSize: number;
                    /** @description Media type of the object, 1 to 255 characters. */
                    mediaType: string;
                    /**
                     * @description Format of the object.
                     * @enum {string}
                     */
                    format: "pdb" | "mmcif";
                };
            };
            /** @description Biological assembly of the receptor, 1 to 32 characters; absent means 1. */
            assemblyId?: string;
            /** @description Model number in the structure file, counted from 1; absent means 1. */
            model?: number;
            /** @description Author chain ids to keep, 1 to 128; absent means all. */
            chains?: string[];
            /** @description pH at which the receptor would be protonated, 0 to 14; absent means 7.4. */
            protonationPh?: number;
        };
        /** @description An inspection of a receptor. */
        InspectionResponse: {
            /**
             * Format: uuid
             * @description Id of the inspection.
             */
            inspectionId: string;
            /** @description Whether the report is there. */
            status: "RUNNING" | "SUCCEEDED" | (string & {});
            /**
             * Format: date-time
             * @description When the inspection was first asked for.
             */
            createdAt: string;
            /** @description How far an inspection that runs is, for people; null once the report is there. */
            message: string | null;
            /** @description What a preparation of the receptor would meet, as inspection.schema.json among the tools describes it; null while it runs. */
            report: Record<string, unknown> | null;
        };
        /** @description A key that has ended. */
        RevokedApiKey: {
            /**
             * Format: uuid
             * @description Id of the key.
             */
            id: string;
            /**
             * @description The key has ended.
             * @enum {string}
             */
            status: "REVOKED";
            /**
             * Format: date-time
             * @description When the key was revoked; a repeat answers the first time.
             */
            revokedAt: string;
        };
        /**
         * @description Why the server was not reached; null when it was. Treat unknown codes generically.
         *
         *     `HOST_INVALID`: The host is neither a name nor an address in its usual form. Correct the host.
         *
         *     `PORT_REFUSED`: The service does not connect to this port. Let the server listen at port 80, 443 or one from 1024 on.
         *
         *     `ADDRESS_REFUSED`: The host leads to an address that is not of the public internet. Give the server a public address, or ask the operator of the service to allow its network.
         *
         *     `NAME_UNKNOWN`: No address was found for the name. Correct the name, or wait until it is published.
         *
         *     `CONNECTION_FAILED`: Nothing took the connection at this port. See that the server runs and that no firewall keeps the service out.
         *
         *     `TIMED_OUT`: The other side did not answer in time: within three seconds, or within fifteen when it was sent a message. See that the server runs and that no firewall drops packets of the service.
         *
         *     `TLS_FAILED`: The other side has no valid certificate of its host. Renew the certificate, or use the name that it is made out to.
         *
         *     `REDIRECTED`: The other side asks to go elsewhere, where the service does not follow. Name the place itself as host and port.
         *
         *     `CREDENTIALS_REFUSED`: The other side does not accept the secret. Store the right secret, and test again.
         *
         *     `ANSWER_UNEXPECTED`: The other side answered with something else than success. Look at the log of the server, or choose the protocol that it speaks.
         */
        OutboundFault: "HOST_INVALID" | "PORT_REFUSED" | "ADDRESS_REFUSED" | "NAME_UNKNOWN" | "CONNECTION_FAILED" | "TIMED_OUT" | "TLS_FAILED" | "REDIRECTED" | "CREDENTIALS_REFUSED" | "ANSWER_UNEXPECTED" | (string & {}) | null;
        /** @description A change of the limits: what is left out stays, null takes a limit away. */
        BillingSettingsRequest: {
            /** @description The most that one job may cost; null for no limit, in minor units of creditCurrency (pence), 0 to 100,000,000. */
            jobLimitCents?: number | null;
            /** @description The most that all jobs of a UTC month may cost, counting what is charged and held; null for no limit, in minor units of creditCurrency (pence), 0 to 100,000,000. */
            monthLimitCents?: number | null;
            /** @description The owners get a mail when the credits that can be spent fall below this amount; null for never, in minor units of creditCurrency (pence), 0 to 100,000,000. */
            lowBalanceCents?: number | null;
            /** @description The most that the API keys of one member may cost together in a UTC month: a member makes live keys only with monthlyLimitCents, within what this leaves; keys of before keep what they have, and jobs submitted in the browser count for the limits of the account alone; null for no limit, in minor units of creditCurrency (pence), 0 to 100,000,000. */
            memberKeysLimitCents?: number | null;
            /** @description Credits that are bought by themselves with the default card; null for none. Setting it again ends a pause. */
            autoTopUp?: {
                /** @description The tier that is bought, 1 to 100 characters; GET /credits/tiers lists them. */
                tierId: string;
                /** @description The tier is bought when the credits that can be spent fall below this amount, in minor units of creditCurrency (pence), 0 to 100,000,000. */
                belowCents: number;
                /** @description The most that is paid so in a UTC month, before tax, in minor units of creditCurrency (pence), 0 to 100,000,000. */
                monthLimitCents: number;
            } | null;
            /** @description The limits of API keys, each key once, at most 1,000; a key that is left out has no limit any more. */
            keyLimits?: {
                /**
                 * Format: uuid
                 * @description Id of the API key.
                 */
                keyId: string;
                /** @description The most that jobs of the key, and of the keys that took its place by rotation or that it took the place of, may cost in a UTC month, in minor units of creditCurrency (pence), 0 to 100,000,000. */
                monthLimitCents: number;
            }[];
        };
        /** @description The plan and the cost limits of the account, and what was spent of them. */
        BillingSettings: {
            /** @description Plan of the account. */
            plan: "free" | "pro" | (string & {});
            /**
             * Format: date-time
             * @description When the monthly credits of the plan end; null without any.
             */
            allowanceEndsAt: string | null;
            /** @description What was spent in the month. */
            spending: {
                /**
                 * Format: date-time
                 * @description When the UTC month began that the limits count.
                 */
                startsAt: string;
                /**
                 * Format: date-time
                 * @description When that month ends.
                 */
                endsAt: string;
                /** @description What was charged in the month and is held now, in minor units of creditCurrency (pence). */
                spentCents: number;
                /** @description What is left of the limit, in minor units of creditCurrency (pence); null without a limit. */
                restCents: number | null;
                /** @description The API keys that have a limit, named as keyLimits names them. */
                keys: {
                    /**
                     * Format: uuid
                     * @description Id of the API key.
                     */
                    keyId: string;
                    /** @description What was charged in the month and is held now, in minor units of creditCurrency (pence). */
                    spentCents: number;
                    /** @description What is left of the limit, in minor units of creditCurrency (pence); null without a limit. */
                    restCents: number | null;
                }[];
            };
            /** @description Currency of the limits. */
            creditCurrency: string;
            /** @description The most that one job may cost; null for no limit, in minor units of creditCurrency (pence), 0 to 100,000,000. */
            jobLimitCents: number | null;
            /** @description The most that all jobs of a UTC month may cost, counting what is charged and held; null for no limit, in minor units of creditCurrency (pence), 0 to 100,000,000. */
            monthLimitCents: number | null;
            /** @description The owners get a mail when the credits that can be spent fall below this amount; null for never, in minor units of creditCurrency (pence), 0 to 100,000,000. */
            lowBalanceCents: number | null;
            /** @description The most that the API keys of one member may cost together in a UTC month: a member makes live keys only with monthlyLimitCents, within what this leaves; keys of before keep what they have, and jobs submitted in the browser count for the limits of the account alone; null for no limit, in minor units of creditCurrency (pence), 0 to 100,000,000. */
            memberKeysLimitCents: number | null;
            /** @description Credits that are bought by themselves; null for none. */
            autoTopUp: {
                /** @description The tier that is bought, 1 to 100 characters; GET /credits/tiers lists them. */
                tierId: string;
                /** @description The tier is bought when the credits that can be spent fall below this amount, in minor units of creditCurrency (pence), 0 to 100,000,000. */
                belowCents: number;
                /** @description The most that is paid so in a UTC month, before tax, in minor units of creditCurrency (pence), 0 to 100,000,000. */
                monthLimitCents: number;
                /** @description Paused when the card refused; nothing is bought until an owner sets it again. */
                state: "on" | "paused" | (string & {});
                /** @description Why nothing is bought; null while it is on. */
                pausedFor: "NO_PAYMENT_METHOD" | "AUTHENTICATION_REQUIRED" | "CARD_DECLINED" | (string & {}) | null;
            } | null;
            /** @description The limits of API keys; of keys that took each other's place by rotation, the newest is named. */
            keyLimits: {
                /**
                 * Format: uuid
                 * @description Id of the API key.
                 */
                keyId: string;
                /** @description The most that jobs of the key, and of the keys that took its place by rotation or that it took the place of, may cost in a UTC month, in minor units of creditCurrency (pence). */
                monthLimitCents: number;
            }[];
        };
        /** @description A change: what is left out stays. */
        NotificationSettingsRequest: {
            /** @description Mails at 50, 80 and 100 % of the limit of the account's UTC month. */
            accountLimit?: boolean;
            /** @description Mails at 50, 80 and 100 % of the limit of an API key's UTC month. */
            keyLimit?: boolean;
            /** @description Mails when the credits fall below lowBalanceCents of the billing settings. */
            lowBalance?: boolean;
        };
        /** @description The mails about money that the owners of the account get. */
        NotificationSettings: {
            /** @description Mails at 50, 80 and 100 % of the limit of the account's UTC month. */
            accountLimit: boolean;
            /** @description Mails at 50, 80 and 100 % of the limit of an API key's UTC month. */
            keyLimit: boolean;
            /** @description Mails when the credits fall below lowBalanceCents of the billing settings. */
            lowBalance: boolean;
        };
        /** @description Where the checkout leads back to. */
        SubscribeRequest: {
            /** @description Page of this service to return to after the payment; the dashboard when it is left out. */
            successUrl?: string;
            /** @description Page of this service to return to without a payment; the dashboard when it is left out. */
            cancelUrl?: string;
        };
        /** @description Where the portal leads back to. */
        PortalRequest: {
            /** @description Page of this service to return to from the portal; the dashboard when it is left out. */
            returnUrl?: string;
        };
        /** @description A page of the provider of payments. */
        HostedPage: {
            /**
             * Format: uri
             * @description Hosted page to send the browser to.
             */
            url: string;
        };
        /** @description A licence server. */
        LicenseServerRequest: {
            /** @description Name of the server, for people, 1 to 100 characters. */
            name: string;
            /** @description Software that the licences are for, 1 to 100 characters. */
            software: string;
            /**
             * @description How the server is spoken to: tcp is a bare connection; the test of http and https asks for /, with https under the certificate of the host.
             * @enum {string}
             */
            protocol: "tcp" | "http" | "https";
            /** @description Name, or address of the public internet, at most 253 characters; IPv6 without brackets. Other forms of addresses are refused. */
            host: string;
            /** @description Port number of the server; 80, 443 and those from 1024 on are possible. */
            port: number;
            /** @description Secret of the server, 1 to 4096 characters of printable ASCII without spaces, which no answer tells again; null for none. In a change, a secret that is left out stays while protocol, host and port do. */
            secret?: string | null;
        };
        /** @description A licence server, without its secret. */
        LicenseServer: {
            /**
             * Format: uuid
             * @description Id of the licence server.
             */
            id: string;
            /** @description Name of the server, for people. */
            name: string;
            /** @description Software that the licences are for. */
            software: string;
            /** @description How the server is spoken to: tcp is a bare connection; the test of http and https asks for /, with https under the certificate of the host. */
            protocol: "tcp" | "http" | "https" | (string & {});
            /** @description Name or address of the server. */
            host: string;
            /** @description Port number of the server. */
            port: number;
            /** @description Whether a secret is stored. */
            hasSecret: boolean;
            /**
             * Format: uuid
             * @description Id of the person who added the server.
             */
            createdBy: string;
            /**
             * Format: date-time
             * @description When the server was added.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the server was last changed.
             */
            updatedAt: string;
        };
        /** @description The licence servers of the account. */
        LicenseServerListResponse: {
            /** @description All licence servers, oldest first, at most 50. */
            licenseServers: components["schemas"]["LicenseServer"][];
            /** @description Always null: the list is answered whole. */
            nextCursor: string | null;
        };
        /** @description How a connection to the server went. */
        LicenseServerTestResponse: {
            /** @description Whether the server was reached. */
            ok: boolean;
            code: components["schemas"]["OutboundFault"];
        };
        /** @description An API key, without the key itself. */
        ApiKey: {
            /**
             * Format: uuid
             * @description Id of the key.
             */
            id: string;
            /** @description Name of the key, for people. */
            name: string;
            /** @description live charges real credits; test is never billed and cannot submit or cancel jobs. */
            environment: "live" | "test" | (string & {});
            /** @description What the key permits. */
            scopes: (("jobs:read" | "jobs:write" | "credits:read" | "convert" | "molecular:chat" | "projects:read" | "projects:write") | string)[];
            /** @description The first characters of the key, to tell keys apart. */
            prefix: string;
            /** @description The last four characters of the key. */
            last4: string;
            /** @description ACTIVE: it can be used. EXPIRED: its time is over. REVOKED: somebody ended it. */
            status: "ACTIVE" | "EXPIRED" | "REVOKED" | (string & {});
            /**
             * Format: uuid
             * @description Id of the user who made the key.
             */
            createdBy: string;
            /**
             * Format: date-time
             * @description When the key was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The last use, exact to a minute; null before the first.
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When the key ends by itself; null for never.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked; null when it was not.
             */
            revokedAt: string | null;
            /** @description The most that the key may spend in a month, in GBP pence; null for no limit of its own. */
            monthlyLimitCents: number | null;
            /** @description What jobs of the key were charged in this UTC month and hold now; null without a limit, in GBP pence. */
            monthSpentCents: number | null;
            /** @description What is left of the limit; null without one, in GBP pence. */
            monthRestCents: number | null;
            /** @description The networks that the key may be used from; null for any. */
            allowedCidrs: string[] | null;
        };
        /** @description A page of keys. */
        ApiKeyListResponse: {
            /** @description Keys, newest first. */
            keys: components["schemas"]["ApiKey"][];
            /** @description Pass it back as cursor to get the next page; null at the end. */
            nextCursor: string | null;
        };
        CreateApiKeyRequest: {
            /** @description Name of the key, for people, 1 to 100 characters. */
            name: string;
            /**
             * @description live charges real credits; test is never billed and cannot submit or cancel jobs.
             * @default live
             * @enum {string}
             */
            environment?: "live" | "test";
            /** @description What the key permits; at least one scope. */
            scopes: ("jobs:read" | "jobs:write" | "credits:read" | "convert" | "molecular:chat" | "projects:read" | "projects:write")[];
            /** @description The networks that the key may be used from, each as 192.0.2.0/24 or 2001:db8::/32; any when it is left out. */
            allowedCidrs?: string[];
            /** @description The most that the key may spend in a UTC month, in GBP pence, counting what its jobs hold; no limit of its own when it is left out. */
            monthlyLimitCents?: number;
        };
        /** @description A new key. */
        IssuedApiKey: {
            /**
             * Format: uuid
             * @description Id of the key.
             */
            id: string;
            /** @description Name of the key, for people. */
            name: string;
            /** @description live charges real credits; test is never billed and cannot submit or cancel jobs. */
            environment: "live" | "test" | (string & {});
            /** @description What the key permits. */
            scopes: (("jobs:read" | "jobs:write" | "credits:read" | "convert" | "molecular:chat" | "projects:read" | "projects:write") | string)[];
            /** @description The first characters of the key, to tell keys apart. */
            prefix: string;
            /** @description The last four characters of the key. */
            last4: string;
            /** @description ACTIVE: it can be used. EXPIRED: its time is over. REVOKED: somebody ended it. */
            status: "ACTIVE" | "EXPIRED" | "REVOKED" | (string & {});
            /**
             * Format: uuid
             * @description Id of the user who made the key.
             */
            createdBy: string;
            /**
             * Format: date-time
             * @description When the key was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The last use, exact to a minute; null before the first.
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When the key ends by itself; null for never.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked; null when it was not.
             */
            revokedAt: string | null;
            /** @description The most that the key may spend in a month, in GBP pence; null for no limit of its own. */
            monthlyLimitCents: number | null;
            /** @description What jobs of the key were charged in this UTC month and hold now; null without a limit, in GBP pence. */
            monthSpentCents: number | null;
            /** @description What is left of the limit; null without one, in GBP pence. */
            monthRestCents: number | null;
            /** @description The networks that the key may be used from; null for any. */
            allowedCidrs: string[] | null;
            /** @description The key itself, which is shown this once and stored nowhere. */
            key: string;
        };
        /** @description A new key in the place of an old one. */
        RotatedApiKey: {
            /**
             * Format: uuid
             * @description Id of the key.
             */
            id: string;
            /** @description Name of the key, for people. */
            name: string;
            /** @description live charges real credits; test is never billed and cannot submit or cancel jobs. */
            environment: "live" | "test" | (string & {});
            /** @description What the key permits. */
            scopes: (("jobs:read" | "jobs:write" | "credits:read" | "convert" | "molecular:chat" | "projects:read" | "projects:write") | string)[];
            /** @description The first characters of the key, to tell keys apart. */
            prefix: string;
            /** @description The last four characters of the key. */
            last4: string;
            /** @description ACTIVE: it can be used. EXPIRED: its time is over. REVOKED: somebody ended it. */
            status: "ACTIVE" | "EXPIRED" | "REVOKED" | (string & {});
            /**
             * Format: uuid
             * @description Id of the user who made the key.
             */
            createdBy: string;
            /**
             * Format: date-time
             * @description When the key was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The last use, exact to a minute; null before the first.
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When the key ends by itself; null for never.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked; null when it was not.
             */
            revokedAt: string | null;
            /** @description The most that the key may spend in a month, in GBP pence; null for no limit of its own. */
            monthlyLimitCents: number | null;
            /** @description What jobs of the key were charged in this UTC month and hold now; null without a limit, in GBP pence. */
            monthSpentCents: number | null;
            /** @description What is left of the limit; null without one, in GBP pence. */
            monthRestCents: number | null;
            /** @description The networks that the key may be used from; null for any. */
            allowedCidrs: string[] | null;
            /** @description The key itself, which is shown this once and stored nowhere. */
            key: string;
            /** @description The key that the new one takes the place of. */
            replaces: {
                /**
                 * Format: uuid
                 * @description Id of the old key.
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When the old key ends.
                 */
                expiresAt: string;
            };
        };
        /** @description A page of the audit log. */
        AuditListResponse: {
            /** @description Changes, newest first. */
            entries: {
                /**
                 * Format: uuid
                 * @description Id of the entry.
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When the change was made.
                 */
                at: string;
                /** @description Kind of the change. Treat unknown kinds generically. */
                action: string;
                /** @description Id of what was changed. */
                subject: string;
                /** @description Who made the change. */
                author: {
                    /** @description key, session, visitor (nobody had signed in yet), operator of the service, or payments (an event of the provider of payments). */
                    kind: "key" | "session" | "visitor" | "operator" | "payments" | (string & {});
                    /** @description Id of the key or the session; null for others. */
                    id: string | null;
                    /**
                     * Format: uuid
                     * @description Id of the person; null for an operator and for payments.
                     */
                    userId: string | null;
                    /** @description E-mail address of the person; null for an operator and for payments. */
                    email: string | null;
                };
                /** @description Address that the author called from; null for an operator and for payments. */
                address: string | null;
                /** @description What was there before, without secrets; null where nothing is told. */
                before: Record<string, unknown> | null;
                /** @description What was there afterwards, without secrets; null where nothing is told. */
                after: Record<string, unknown> | null;
            }[];
            /** @description Pass it back as cursor to get the next page; null at the end. */
            nextCursor: string | null;
        };
        /** @description A page of events. */
        EventListResponse: {
            /** @description Events, oldest first. */
            events: {
                /**
                 * Format: uuid
                 * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                 */
                id: string;
                /** @description Type of the event. Treat unknown types generically. */
                type: string;
                /**
                 * Format: date-time
                 * @description When it happened, in UTC.
                 */
                timestamp: string;
                /** @description Ids, states and numbers of what happened, as the section webhooks says for each type; read the rest by the id. */
                data: Record<string, unknown>;
            }[];
            /** @description Pass it back as cursor, now or later, to get what comes after; never null, because a log has no end. */
            nextCursor: string;
        };
        /** @description A person of the account. */
        Member: {
            /**
             * Format: uuid
             * @description Id of the person.
             */
            userId: string;
            /** @description E-mail address of the person. */
            email: string;
            /** @description owner decides on keys, members, billing and settings; member works and has keys of their own. */
            role: "owner" | "member" | (string & {});
            /** @description Whether it is you. */
            current: boolean;
        };
        /** @description The people of the account. */
        MemberListResponse: {
            /** @description Everybody in the account, at most 100. */
            members: components["schemas"]["Member"][];
            /** @description Always null: the list is answered whole. */
            nextCursor: string | null;
        };
        /** @description A person who belongs to the account no more. */
        LeftMember: {
            /**
             * Format: uuid
             * @description Id of the person.
             */
            userId: string;
            /** @description E-mail address of the person. */
            email: string;
            /** @description Number of sessions that have ended. */
            endedSessions: number;
            /** @description The keys of the person that can be used. They go on until an owner revokes them. */
            keys: components["schemas"]["ApiKey"][];
        };
        InviteRequest: {
            /** @description E-mail address, compared without case. */
            email: string;
            /**
             * @description owner decides on keys, members, billing and settings; member works and has keys of their own.
             * @enum {string}
             */
            role: "owner" | "member";
        };
        /** @description An invitation to the account. */
        Invitation: {
            /**
             * Format: uuid
             * @description Id of the invitation.
             */
            id: string;
            /** @description E-mail address that the code was sent to. */
            email: string;
            /** @description owner decides on keys, members, billing and settings; member works and has keys of their own. */
            role: "owner" | "member" | (string & {});
            /** @description OPEN: it can be accepted. ACCEPTED: somebody has. EXPIRED: its time is over. ENDED: an owner ended it. */
            status: "OPEN" | "ACCEPTED" | "EXPIRED" | "ENDED" | (string & {});
            /**
             * Format: uuid
             * @description Id of the owner who invited.
             */
            invitedBy: string;
            /**
             * Format: date-time
             * @description When the owner invited.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until when the code can be used.
             */
            expiresAt: string;
        };
        /** @description The open invitations to the account. */
        InvitationListResponse: {
            /** @description Open invitations, newest first, at most 100. */
            invitations: components["schemas"]["Invitation"][];
            /** @description Always null: the list is answered whole. */
            nextCursor: string | null;
        };
        AcceptInvitationRequest: {
            /** @description The code of the mail. */
            code: string;
            /** @description Password, 10 to 200 characters; the commonest passwords and your own address are refused. */
            password: string;
        };
        /** @description You have joined the account; sign in now. */
        JoinedAccount: {
            /** @description E-mail address to sign in with. */
            email: string;
            /** @description The account that you belong to now. */
            account: {
                /**
                 * Format: uuid
                 * @description Id of the account.
                 */
                id: string;
                /** @description owner decides on keys, members, billing and settings; member works and has keys of their own. */
                role: "owner" | "member" | (string & {});
            };
        };
        SignUpRequest: {
            /** @description E-mail address, compared without case. */
            email: string;
            /** @description Password, 10 to 200 characters; the commonest passwords and your own address are refused. */
            password: string;
        };
        SignInRequest: {
            /** @description E-mail address, compared without case. */
            email: string;
            /** @description The password of the sign-up, or the one that was set since. */
            password: string;
            /** @description The present code of the authenticator, or a recovery code; only for whoever has a second factor. */
            totp?: string;
        };
        /** @description Who has signed in. The cookie of the answer is the session. */
        SignInResponse: {
            /**
             * Format: uuid
             * @description Id of the session.
             */
            sessionId: string;
            /** @description The person. */
            user: {
                /**
                 * Format: uuid
                 * @description Id of the person.
                 */
                id: string;
                /** @description E-mail address of the person. */
                email: string;
            };
            /** @description The account, which the first sign-in opens. */
            account: {
                /**
                 * Format: uuid
                 * @description Id of the account.
                 */
                id: string;
                /** @description Plan of the account. */
                plan: "free" | "pro" | (string & {});
                /** @description What the person is in the account. */
                role: "owner" | "member" | (string & {});
            };
            /**
             * Format: date-time
             * @description When the session ends without further use: seven days after the last use, thirty days in all.
             */
            expiresAt: string;
        };
        /** @description How your second factor stands. */
        TotpState: {
            /** @description Whether the sign-in asks for a code. */
            enabled: boolean;
            /** @description Number of recovery codes that can still be taken. */
            recoveryCodesLeft: number;
        };
        TotpCodeRequest: {
            /** @description The present code of the authenticator; to disable also a recovery code. */
            code: string;
        };
        CliApprovalRequest: {
            /** @description SHA-256 (base64url, without padding) of the secret that the command line has drawn. */
            challenge: string;
        };
        /** @description What the browser hands to the command line. */
        CliApproval: {
            /** @description The code for the command line, shown this once. */
            code: string;
            /** @description How long the code can be used, in seconds. */
            expiresInSeconds: number;
        };
        CliSessionRequest: {
            /** @description The code that the browser has handed over. */
            code: string;
            /** @description The secret whose SHA-256 the challenge was. */
            verifier: string;
        };
        /** @description The same for every address, known or not. */
        MailSentResponse: {
            /** @description What to do next, for people. */
            message: string;
        };
        /** @description The open sessions of the person. */
        SessionListResponse: {
            /** @description Open sessions, newest first. */
            sessions: {
                /**
                 * Format: uuid
                 * @description Id of the session.
                 */
                id: string;
                /** @description Whether it is the session that asks. */
                current: boolean;
                /** @description Address of the sign-in. */
                address: string;
                /** @description Program of the sign-in; null when it told none. */
                userAgent: string | null;
                /**
                 * Format: date-time
                 * @description When the person signed in.
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description The last use, exact to a minute.
                 */
                lastSeenAt: string;
                /**
                 * Format: date-time
                 * @description When the session ends without further use: seven days after the last use, thirty days in all.
                 */
                expiresAt: string;
            }[];
            /** @description Always null: the list is answered whole. */
            nextCursor: string | null;
        };
        /** @description A session that has ended. */
        EndedSession: {
            /**
             * Format: uuid
             * @description Id of the session.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the session ended; a repeat answers the first time.
             */
            endedAt: string;
        };
        /** @description Any JSON value that can be kept: texts and names without NUL, finite numbers, no name __proto__, no constructor with a prototype in it; at most 10000 members in an object; at most 64 levels deep, counted from the top of the body. */
        JsonValue: unknown;
        /** @description Every error. */
        ErrorResponse: {
            /** @description What happened and what to do, for people. */
            error: string;
            code: components["schemas"]["ErrorCode"];
            /** @description With VERSION_CONFLICT: the present version of the resource. */
            currentVersion?: number;
        };
        /**
         * @description Machine-readable code of an error. Treat unknown codes generically.
         *
         *     `VALIDATION_ERROR`: The request does not match the contract. Correct every path that the error names, and send the request again.
         *
         *     `IDEMPOTENCY_KEY_MISMATCH`: The Idempotency-Key header and the keys in the body differ. Send the same key in each place, or send it in one place only.
         *
         *     `IDEMPOTENCY_KEY_REQUIRED`: This operation needs an Idempotency-Key header. Send a fresh key of 8 to 255 characters.
         *
         *     `PART_CHECKSUM_REQUIRED`: The upload was started with part checksums, and a part came without one. Send checksumSha256 for each part.
         *
         *     `PART_CHECKSUM_FORBIDDEN`: The upload was started without part checksums, and a part came with one. Leave checksumSha256 out.
         *
         *     `NOT_FOUND`: There is no such path or resource in this account. Check the address and the id.
         *
         *     `METHOD_NOT_ALLOWED`: The path exists, but not with this method. Use one of the methods that the Allow header lists.
         *
         *     `REQUEST_TIMEOUT`: The request, or a part of its body, did not come in time. Repeat the request, over a faster line if it is large.
         *
         *     `PAYLOAD_TOO_LARGE`: The body, or the file that the body announces, is larger than this operation takes. Send at most what the error names.
         *
         *     `UNSUPPORTED_MEDIA_TYPE`: The body is not JSON in UTF-8. Send Content-Type application/json without a content encoding.
         *
         *     `TRANSFER_CODING_UNSUPPORTED`: The body is sent in a transfer coding that is not read here. Send the body as it is, with Content-Length or in chunks.
         *
         *     `HEADERS_TOO_LARGE`: The headers of the request have more than 16 KiB together. Send fewer or shorter headers.
         *
         *     `RANGE_NOT_SATISFIABLE`: The range starts at or beyond the present end. Ask again when there is more.
         *
         *     `UNAUTHORIZED`: The API key is missing, malformed, unknown, expired or revoked, or the session has ended. Send a valid key as a bearer token, or sign in.
         *
         *     `SIGN_IN_REFUSED`: The address or the password is wrong, or the address has not been confirmed. Confirm the address with the code of the mail, or ask for a new password.
         *
         *     `TOTP_REQUIRED`: The password is right, and the person has a second factor that is asked for as well. Send the present code of the authenticator, or a recovery code, with the same request.
         *
         *     `TOTP_REFUSED`: The code of the second factor is wrong, or was taken before. Wait for the next code of the authenticator, and check the clock of its device.
         *
         *     `TOTP_ENABLED`: The person has a second factor already. Take the second factor away, then begin with another one.
         *
         *     `OIDC_NOT_CONFIGURED`: The operator of the service has named no provider of sign-ins. Sign in with address and password instead.
         *
         *     `OIDC_EXPIRED`: This browser has begun no such sign-in at the provider, or the sign-in was used or is too old. Begin at GET /auth/oidc/start again, in the same browser and with its cookies.
         *
         *     `OIDC_REFUSED`: The provider of sign-ins refused the person, or what it sent back cannot be trusted. Begin again; when it happens again, ask the operator, whose log has the reason.
         *
         *     `OIDC_ADDRESS_UNVERIFIED`: The e-mail address of the person is not proved at both the provider and this service. Confirm the address where it is not proved, then begin the sign-in again.
         *
         *     `CROSS_SITE_REQUEST`: A write of a session did not come from a page of this service. Call from a page of the service, whose Origin the browser sends; programs use an API key.
         *
         *     `CODE_EXPIRED`: The code of the mail is unknown, was used, or is too old. Ask for another mail, and use its code at once.
         *
         *     `LAST_OWNER`: An account has at least one owner, and this is the last one. Make somebody else an owner first. Whoever is alone in an account without credits, debt, jobs and keys may leave it, which closes it; else ask the operator of the service to close it.
         *
         *     `ALREADY_MEMBER`: The person of this address is a member of the account already. Change the role of the member, if that was the wish.
         *
         *     `OTHER_ACCOUNT`: The person of this address belongs to another account, and nobody belongs to two. Leave the other account first, as the error says, or be invited with another address. An account of your own is left when it has no credits, debt, jobs and keys.
         *
         *     `MEMBER_LIMIT_REACHED`: The account has as many members and open invitations as it may have. End an invitation, or let a member leave, then repeat the request.
         *
         *     `INSUFFICIENT_SCOPE`: The API key lacks the scope of this operation. Use a key that has the scope.
         *
         *     `TEST_KEY_LIVE_BILLING`: A test key cannot call an operation that charges credits. Use a live key.
         *
         *     `SESSION_REQUIRED`: This operation cannot be called with an API key. Sign in with a browser, and do it there.
         *
         *     `SIGN_IN_AGAIN`: This operation needs a sign-in of the last twelve hours. Sign in again, then repeat the request.
         *
         *     `KEY_REQUIRED`: This operation is about the API key that it is called with, and was called without one. Send the API key as a bearer token.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `OWNER_REQUIRED`: This operation is for the owners of the account. Ask an owner of the account to do it, or to make you an owner.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         *
         *     `ACCOUNT_CLOSED`: The account was closed while the request was under way. Use a key of another account.
         *
         *     `RATE_LIMITED`: There were too many requests with this key. Wait for the seconds in Retry-After, then repeat the request.
         *
         *     `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request.
         *
         *     `IDEMPOTENCY_IN_PROGRESS`: The first request with this idempotency key is still running. Repeat the request after Retry-After seconds.
         *
         *     `KEY_ALREADY_ISSUED`: The API key of this idempotency key was shown once already. Revoke the API key, and create another one.
         *
         *     `KEY_LIMIT_REACHED`: The account has as many open API keys as it may have. Revoke an API key that nobody uses, then repeat the request.
         *
         *     `DESTINATION_REFUSED`: The service does not connect to this host or port. Name a host of the public internet, and port 80, 443 or one from 1024 on.
         *
         *     `LICENSE_SECRET_REQUIRED`: The stored secret was given for another protocol, host or port. Send the secret with the change, or null for none.
         *
         *     `LICENSE_SERVER_LIMIT_REACHED`: The account has as many licence servers as it may have. Remove a licence server that nobody uses, then repeat the request.
         *
         *     `KEY_ENDED`: The API key was revoked or has expired, so nothing can take its place. Create another API key.
         *
         *     `VERSION_CONFLICT`: The resource has moved on to currentVersion. Read the resource again, then decide which of your changes to keep.
         *
         *     `SCENE_INVALID`: The scene of a content is no MolViewSpec scene that can be kept: the message names every part that is wrong. Mend the parts that are named; nothing was saved.
         *
         *     `SCENE_SOURCE_REFUSED`: The scene names data from elsewhere, which may be gone or changed tomorrow. Import the data as the message says, name it by its address here, and save again.
         *
         *     `CONTENT_HOLDS_SECRET`: The content holds an API key or a signed address, which everybody who reads the revision could use. Take it out, name the artifact instead, and rotate a key that has left its place.
         *
         *     `SOURCE_LOST`: The file of an artifact is not stored any more, though its record is. Open the rest of the scene without it, or upload the file as a new one and name that in its place.
         *
         *     `SOURCE_TOO_LARGE`: The artifact is larger than the 64 MiB that a scene opens. Download it by its download address, and choose fewer models or chains for the scene.
         *
         *     `STRUCTURE_UNREADABLE`: The file is no structure that can be read, in pdb or mmcif. Open the file elsewhere and save it anew as pdb or mmcif, then upload it again.
         *
         *     `EXPORT_NOT_PUBLIC`: The scene shows data that nobody outside of the account may read, so a scene file alone would open empty. Export it as .mvsx (format=mvsx), which carries its data, or share a revision that names the data and export again.
         *
         *     `SCENE_MISSING`: The content of the revision has no scene, so there is nothing that a viewer would open. Save a revision whose content has a member scene, and export that one.
         *
         *     `SHARE_REVOKED`: The share was revoked, or its project was deleted. Ask whoever gave you the link for a new one.
         *
         *     `CONVERSION_LIMIT`: As many files of this account are being converted as may be at once. Wait as many seconds as Retry-After says, and repeat the request.
         *
         *     `CONVERSION_FAILED`: The file could not be converted; the error says why. Convert a smaller file, or report the failure with the id of the request.
         *
         *     `CURSOR_EXPIRED`: The cursor of the events is older than 30 days, or from before the service was restored. Take the cursor of GET /events?latest=true, read the lists of what you follow, then go on with that cursor.
         *
         *     `STREAM_LIMIT`: As many streams of this account are open as may be at once. Close a stream, or wait as many seconds as Retry-After says, and repeat the request.
         *
         *     `PIPELINE_DISABLED`: Jobs of type pipeline are not enabled here. Submit a simulation and a render job instead.
         *
         *     `JOB_TYPE_UNAVAILABLE`: Jobs of this type, or of this type with this software, cannot be run here. Use another job type, or a software that the error names.
         *
         *     `UNSUPPORTED_SIMULATOR`: The simulator is not supported here. Use a simulator that the error names.
         *
         *     `CAPACITY_LIMIT_EXCEEDED`: One instance of the job has more vCPUs or GPUs than a limit ever lets be granted at once, so the job would never begin. Ask for fewer vCPUs or GPUs per task, or ask the operator for a higher limit.
         *
         *     `SCENE_FILE_REQUIRED`: This job needs sceneFile. Upload the scene file, and send its storage key as sceneFile.
         *
         *     `INPUT_NOT_FOUND`: A storage key names no stored file of this account. Upload the file, and send the storage key that the upload answered.
         *
         *     `INPUT_MISSING`: An input that the simulator needs is missing. Send exactly one of the fields that the error names.
         *
         *     `INPUT_CONFLICT`: Fields that exclude each other were sent together. Keep one of the fields that the error names.
         *
         *     `TASK_COUNT_MISMATCH`: The taskCount does not fit what the inputs hold; the message tells both numbers. Leave taskCount out, or correct it.
         *
         *     `ARTIFACT_MISMATCH`: An artifact reference disagrees with the stored artifact. Send the reference as it was answered.
         *
         *     `RECEIPT_NOT_READY`: The execution is not settled yet, or the receipt of the execution or of the revision is just being made. Wait for the end or the pause of the job, then ask for the receipt again; for that of a revision, ask in a minute.
         *
         *     `JOB_NOT_RESUMABLE`: The job is in a state that cannot be resumed, or its inputs are gone. Look at the status: resume a job that is paused or has ended with something missing, or submit it as a new job.
         *
         *     `BATCH_RUNNING`: A run of the batch is not over. Wait until the run has ended, or cancel it; then repeat the request.
         *
         *     `NOTHING_TO_RETRY`: Nothing in the batch failed in the way that was asked for. Look at the failures of the batch, and send the codes to repeat.
         *
         *     `NOTHING_TO_EXPORT`: No result of the batch or run is one that the export was asked for. Look at the results with the same filters; wait for the first result, or ask for others.
         *
         *     `INSPECTION_LIMIT`: As many receptors of this account are being inspected as may be at once. Repeat the request after Retry-After seconds.
         *
         *     `INSPECTION_FAILED`: The receptor could not be inspected; the error says why. Choose fewer chains or another file, or report the failure.
         *
         *     `FENCED`: This generation of the instance has been replaced. Stop the tools and exit.
         *
         *     `UPLOAD_INCOMPLETE`: The upload is not complete yet. Send the missing bytes, then repeat the request.
         *
         *     `UPLOAD_ALREADY_COMPLETE`: The upload is complete and cannot be changed. Start a new upload for other bytes.
         *
         *     `UPLOAD_EXPIRED`: The upload was not completed in time. Start a new upload.
         *
         *     `UPLOAD_ABORTED`: The upload was aborted. Start a new upload if the file is still wanted.
         *
         *     `SIZE_MISMATCH`: The stored object has another size than announced. Upload the file again.
         *
         *     `CHECKSUM_MISMATCH`: The stored object has another SHA-256 than announced, or than when it was verified. Upload the file again, and name the digest of these bytes.
         *
         *     `STORAGE_QUOTA_EXCEEDED`: The account has no room for a file of this size. Abort open uploads, let files that nobody uses end, or ask for a larger plan.
         *
         *     `QUOTE_INVALID`: The quote is not genuine, or was made for another account. Send the quoteId of an estimate unchanged, or leave it out.
         *
         *     `QUOTE_MISMATCH`: The quote was made for a job with another price; the error names the field that differs. Submit the job as it was estimated, or estimate the job that is meant.
         *
         *     `QUOTE_EXPIRED`: The quote came later than 15 minutes after its estimate. Estimate the job again, and submit it with the new quoteId.
         *
         *     `INSUFFICIENT_CREDITS`: The available credits do not cover the hold, or the account owes something, which has to be paid before anything is held. Top up what the error names, of which a debt is paid first, then repeat the request with the same idempotency key.
         *
         *     `NO_PAYMENT_METHOD`: Auto top-up needs a card, and none is stored that can be charged. Store a card at the billing portal, then set auto top-up in the billing settings again.
         *
         *     `COST_LIMIT_EXCEEDED`: The hold would pass a cost limit: of one job, of the account in this UTC month, or of the API key in this UTC month. What is charged and what is held counts. A new key of a member would pass what owners let the keys of a member cost. Raise the limit that the error names, or make the job smaller; a resume may also send a smaller limitCents, and a new key a smaller monthlyLimitCents.
         *
         *     `REFUND_EXCEEDS_UNSPENT`: More was to be refunded than is unspent of the top-up; what is held counts as spent. Refund at most what the error names.
         *
         *     `UNKNOWN_TIER`: There is no such credit tier. Use a tier that the error names.
         *
         *     `INTERNAL_ERROR`: The service failed; a task that fails with this code is not charged. Repeat the request, and report the X-Request-Id when the failure stays. Submit the tasks that failed so as a new job.
         *
         *     `PAYMENTS_NOT_CONFIGURED`: No provider of payments is set up, so credits cannot be bought here. Ask the operator of the service for credits.
         *
         *     `MAINTENANCE`: The service takes no new jobs at the moment; nothing was accepted. The message has the reason. Submit again after Retry-After seconds, with the same idempotency key. Jobs that were accepted go on.
         *
         *     `SERVICE_UNAVAILABLE`: A part of the service cannot answer at the moment. Repeat the request with the same idempotency key after Retry-After seconds.
         *
         *     `BOX_MISSING`: No centre of the docking box was given. Send boxCenterAngstrom, pocketLigand or pocketResidues.
         *
         *     `BOX_CONFLICT`: More than one centre of the docking box was given. Keep one of boxCenterAngstrom, pocketLigand and pocketResidues.
         *
         *     `BOX_SIZE_REQUIRED`: A docking box that is given by its centre needs a size. Send boxSizeAngstrom with boxCenterAngstrom.
         *
         *     `PREPARATION_CONFLICT`: Options of the receptor preparation exclude each other. Change the option that the error names.
         *
         *     `LIGAND_CONFIRMATION_INVALID`: The confirmation of a ligand is not genuine, has expired, or was made for another account, query or ligand; the error says which. Leave the confirmation out, or resolve the ligand again.
         *
         *     `LIBRARY_EMPTY`: The ligand library has no record. Send a file with at least one ligand; empty lines, comments and headings are no records.
         *
         *     `LIBRARY_TOO_LARGE`: The ligand library has more than 10,000 records, or more than 256 MB when it is unpacked. Cut the library into several files, and dock each of them.
         *
         *     `LIBRARY_RECORD_TOO_LARGE`: One record of the ligand library has more than 4 MiB or more than 1,024 columns; the message names its line. Remove the record, or end it where the next one begins.
         *
         *     `LIBRARY_UNREADABLE`: The ligand library is no text in UTF-8 as its format asks for it; the message says what it is. Save the library as plain text in UTF-8 (in a spreadsheet program: CSV UTF-8), as it is or packed once with gzip, and upload it anew.
         *
         *     `LIBRARY_COLUMN_MISSING`: The table of ligands has no column of SMILES; the message names the columns that it has. Call the column with the structures smiles; commas, semicolons or tabs stand between the columns.
         *
         *     `DATABASE_MISSING`: The request names no database. Send blastDatabaseName or blastDatabasePath.
         *
         *     `DATABASE_CONFLICT`: The request names two databases. Send blastDatabaseName or blastDatabasePath, not both.
         *
         *     `DATABASE_MISMATCH`: No database of this installation is what the request says; the message names the field. Correct or leave out the field, or name another database.
         *
         *     `DATABASE_TYPE_MISMATCH`: The database holds sequences of the other type. Search proteins (prot) with blastp and nucleotide sequences (nucl) with blastn.
         *
         *     `DATABASE_FILE_MISSING`: Neither an attachment nor the project package of sceneFile has the file that blastDatabasePath names. Upload the file and add its storage key to attachments, or upload it into the package; blastDatabasePath is its name, or its path there.
         *
         *     `QUERY_EMPTY`: The file of queries has no sequence. Send a FASTA file with at least one sequence.
         *
         *     `QUERY_INVALID`: A query cannot be read; the message names its record and line and says why. Mend the record. Two different sequences need two names, which are the first words after >.
         *
         *     `QUERY_TYPE_MISMATCH`: A query is a nucleotide sequence where proteins are searched, or the other way round. Use blastp for proteins and blastn for nucleotide sequences.
         *
         *     `QUERY_TOO_LARGE`: The queries, or one of them, are larger than a search takes: 64 MiB, 100,000 queries, 100,000 residues or 10 million bases each. Split the file, or search the part of the sequence that matters.
         *
         *     `RECEPTOR_NOT_FOUND`: The Protein Data Bank has no entry with this id, or no mmCIF file of the entry. Check the id, or upload the file.
         *
         *     `RECEPTOR_FETCH_FAILED`: The structure could not be fetched: the archive did not answer, or sent something else. Submit the request again later, or upload the file.
         *
         *     `RECEPTOR_UNREADABLE`: The file is neither PDB nor mmCIF, is cut off, has an atom in two places, or is too large. Open the file in a viewer and send it whole, or choose fewer chains.
         *
         *     `RECEPTOR_EMPTY`: Nothing of a protein or nucleic acid is left. Check the chains, the model and the assembly.
         *
         *     `CONVERSION_UNSUPPORTED`: Nothing is converted from this format to that one; the message lists the pairs that there are. Choose one of the pairs. The end of the name of an uploaded file, or the format of an artifact, says what is read.
         *
         *     `CONVERSION_IMPOSSIBLE`: The other format cannot say what the file says, such as long ids in PDB, or it would have to be guessed. Keep the file as it is, or take out what the message names before you convert it.
         *
         *     `CONVERSION_INPUT_UNREADABLE`: The file is not whole, or is not of the format that it is called. Correct what the message names, give the file its right name, unpack it, or upload it again.
         */
        ErrorCode: "VALIDATION_ERROR" | "IDEMPOTENCY_KEY_MISMATCH" | "IDEMPOTENCY_KEY_REQUIRED" | "PART_CHECKSUM_REQUIRED" | "PART_CHECKSUM_FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "TRANSFER_CODING_UNSUPPORTED" | "HEADERS_TOO_LARGE" | "RANGE_NOT_SATISFIABLE" | "UNAUTHORIZED" | "SIGN_IN_REFUSED" | "TOTP_REQUIRED" | "TOTP_REFUSED" | "TOTP_ENABLED" | "OIDC_NOT_CONFIGURED" | "OIDC_EXPIRED" | "OIDC_REFUSED" | "OIDC_ADDRESS_UNVERIFIED" | "CROSS_SITE_REQUEST" | "CODE_EXPIRED" | "LAST_OWNER" | "ALREADY_MEMBER" | "OTHER_ACCOUNT" | "MEMBER_LIMIT_REACHED" | "INSUFFICIENT_SCOPE" | "TEST_KEY_LIVE_BILLING" | "SESSION_REQUIRED" | "SIGN_IN_AGAIN" | "KEY_REQUIRED" | "ADDRESS_NOT_ALLOWED" | "OWNER_REQUIRED" | "ACCOUNT_SUSPENDED" | "ACCOUNT_CLOSED" | "RATE_LIMITED" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_IN_PROGRESS" | "KEY_ALREADY_ISSUED" | "KEY_LIMIT_REACHED" | "DESTINATION_REFUSED" | "LICENSE_SECRET_REQUIRED" | "LICENSE_SERVER_LIMIT_REACHED" | "KEY_ENDED" | "VERSION_CONFLICT" | "SCENE_INVALID" | "SCENE_SOURCE_REFUSED" | "CONTENT_HOLDS_SECRET" | "SOURCE_LOST" | "SOURCE_TOO_LARGE" | "STRUCTURE_UNREADABLE" | "EXPORT_NOT_PUBLIC" | "SCENE_MISSING" | "SHARE_REVOKED" | "CONVERSION_LIMIT" | "CONVERSION_FAILED" | "CURSOR_EXPIRED" | "STREAM_LIMIT" | "PIPELINE_DISABLED" | "JOB_TYPE_UNAVAILABLE" | "UNSUPPORTED_SIMULATOR" | "CAPACITY_LIMIT_EXCEEDED" | "SCENE_FILE_REQUIRED" | "INPUT_NOT_FOUND" | "INPUT_MISSING" | "INPUT_CONFLICT" | "TASK_COUNT_MISMATCH" | "ARTIFACT_MISMATCH" | "RECEIPT_NOT_READY" | "JOB_NOT_RESUMABLE" | "BATCH_RUNNING" | "NOTHING_TO_RETRY" | "NOTHING_TO_EXPORT" | "INSPECTION_LIMIT" | "INSPECTION_FAILED" | "FENCED" | "UPLOAD_INCOMPLETE" | "UPLOAD_ALREADY_COMPLETE" | "UPLOAD_EXPIRED" | "UPLOAD_ABORTED" | "SIZE_MISMATCH" | "CHECKSUM_MISMATCH" | "STORAGE_QUOTA_EXCEEDED" | "QUOTE_INVALID" | "QUOTE_MISMATCH" | "QUOTE_EXPIRED" | "INSUFFICIENT_CREDITS" | "NO_PAYMENT_METHOD" | "COST_LIMIT_EXCEEDED" | "REFUND_EXCEEDS_UNSPENT" | "UNKNOWN_TIER" | "INTERNAL_ERROR" | "PAYMENTS_NOT_CONFIGURED" | "MAINTENANCE" | "SERVICE_UNAVAILABLE" | "BOX_MISSING" | "BOX_CONFLICT" | "BOX_SIZE_REQUIRED" | "PREPARATION_CONFLICT" | "LIGAND_CONFIRMATION_INVALID" | "LIBRARY_EMPTY" | "LIBRARY_TOO_LARGE" | "LIBRARY_RECORD_TOO_LARGE" | "LIBRARY_UNREADABLE" | "LIBRARY_COLUMN_MISSING" | "DATABASE_MISSING" | "DATABASE_CONFLICT" | "DATABASE_MISMATCH" | "DATABASE_TYPE_MISMATCH" | "DATABASE_FILE_MISSING" | "QUERY_EMPTY" | "QUERY_INVALID" | "QUERY_TYPE_MISMATCH" | "QUERY_TOO_LARGE" | "RECEPTOR_NOT_FOUND" | "RECEPTOR_FETCH_FAILED" | "RECEPTOR_UNREADABLE" | "RECEPTOR_EMPTY" | "CONVERSION_UNSUPPORTED" | "CONVERSION_IMPOSSIBLE" | "CONVERSION_INPUT_UNREADABLE" | (string & {});
    };
    responses: {
        /**
         * @description `VALIDATION_ERROR`: The request does not match the contract. Correct every path that the error names, and send the request again.
         *
         *     `PART_CHECKSUM_REQUIRED`: The upload was started with part checksums, and a part came without one. Send checksumSha256 for each part.
         */
        CompleteMultipartUploadBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "VALIDATION_ERROR" | "PART_CHECKSUM_REQUIRED" | (string & {});
                };
            };
        };
        /**
         * @description `VALIDATION_ERROR`: The request does not match the contract. Correct every path that the error names, and send the request again.
         *
         *     `PART_CHECKSUM_REQUIRED`: The upload was started with part checksums, and a part came without one. Send checksumSha256 for each part.
         *
         *     `PART_CHECKSUM_FORBIDDEN`: The upload was started without part checksums, and a part came with one. Leave checksumSha256 out.
         */
        CreatePartUrlsBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "VALIDATION_ERROR" | "PART_CHECKSUM_REQUIRED" | "PART_CHECKSUM_FORBIDDEN" | (string & {});
                };
            };
        };
        /**
         * @description `VALIDATION_ERROR`: The request does not match the contract. Correct every path that the error names, and send the request again.
         *
         *     `IDEMPOTENCY_KEY_MISMATCH`: The Idempotency-Key header and the keys in the body differ. Send the same key in each place, or send it in one place only.
         */
        SubmitJobBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "VALIDATION_ERROR" | "IDEMPOTENCY_KEY_MISMATCH" | (string & {});
                };
            };
        };
        /** @description `VALIDATION_ERROR`: The request does not match the contract. Correct every path that the error names, and send the request again. */
        ValidationError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "VALIDATION_ERROR" | (string & {});
                };
            };
        };
        /**
         * @description `VALIDATION_ERROR`: The request does not match the contract. Correct every path that the error names, and send the request again.
         *
         *     `IDEMPOTENCY_KEY_REQUIRED`: This operation needs an Idempotency-Key header. Send a fresh key of 8 to 255 characters.
         */
        ValidationErrorOrIdempotencyKeyRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "VALIDATION_ERROR" | "IDEMPOTENCY_KEY_REQUIRED" | (string & {});
                };
            };
        };
        /** @description `SIGN_IN_REFUSED`: The address or the password is wrong, or the address has not been confirmed. Confirm the address with the code of the mail, or ask for a new password. */
        SignInRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "SIGN_IN_REFUSED" | (string & {});
                };
            };
        };
        /**
         * @description `SIGN_IN_REFUSED`: The address or the password is wrong, or the address has not been confirmed. Confirm the address with the code of the mail, or ask for a new password.
         *
         *     `TOTP_REQUIRED`: The password is right, and the person has a second factor that is asked for as well. Send the present code of the authenticator, or a recovery code, with the same request.
         */
        SignInUnauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "SIGN_IN_REFUSED" | "TOTP_REQUIRED" | (string & {});
                };
            };
        };
        /** @description `TOTP_REQUIRED`: The password is right, and the person has a second factor that is asked for as well. Send the present code of the authenticator, or a recovery code, with the same request. */
        TotpRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "TOTP_REQUIRED" | (string & {});
                };
            };
        };
        /** @description `UNAUTHORIZED`: The API key is missing, malformed, unknown, expired or revoked, or the session has ended. Send a valid key as a bearer token, or sign in. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "UNAUTHORIZED" | (string & {});
                };
            };
        };
        /** @description `INSUFFICIENT_CREDITS`: The available credits do not cover the hold, or the account owes something, which has to be paid before anything is held. Top up what the error names, of which a debt is paid first, then repeat the request with the same idempotency key. */
        InsufficientCredits: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "INSUFFICIENT_CREDITS" | (string & {});
                };
            };
        };
        /**
         * @description `INSUFFICIENT_CREDITS`: The available credits do not cover the hold, or the account owes something, which has to be paid before anything is held. Top up what the error names, of which a debt is paid first, then repeat the request with the same idempotency key.
         *
         *     `NO_PAYMENT_METHOD`: Auto top-up needs a card, and none is stored that can be charged. Store a card at the billing portal, then set auto top-up in the billing settings again.
         */
        InsufficientCreditsOrNoPaymentMethod: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "INSUFFICIENT_CREDITS" | "NO_PAYMENT_METHOD" | (string & {});
                };
            };
        };
        /** @description `NO_PAYMENT_METHOD`: Auto top-up needs a card, and none is stored that can be charged. Store a card at the billing portal, then set auto top-up in the billing settings again. */
        NoPaymentMethod: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "NO_PAYMENT_METHOD" | (string & {});
                };
            };
        };
        /**
         * @description `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         */
        AddressNotAllowedOrAccountSuspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "ADDRESS_NOT_ALLOWED" | "ACCOUNT_SUSPENDED" | (string & {});
                };
            };
        };
        /** @description `CROSS_SITE_REQUEST`: A write of a session did not come from a page of this service. Call from a page of the service, whose Origin the browser sends; programs use an API key. */
        CrossSiteRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "CROSS_SITE_REQUEST" | (string & {});
                };
            };
        };
        /**
         * @description `CROSS_SITE_REQUEST`: A write of a session did not come from a page of this service. Call from a page of the service, whose Origin the browser sends; programs use an API key.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         *
         *     `ACCOUNT_CLOSED`: The account was closed while the request was under way. Use a key of another account.
         */
        CrossSiteRequestOrAccountSuspendedOrAccountClosed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "CROSS_SITE_REQUEST" | "ACCOUNT_SUSPENDED" | "ACCOUNT_CLOSED" | (string & {});
                };
            };
        };
        /**
         * @description `CROSS_SITE_REQUEST`: A write of a session did not come from a page of this service. Call from a page of the service, whose Origin the browser sends; programs use an API key.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         */
        CrossSiteRequestOrAddressNotAllowedOrAccountSuspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "CROSS_SITE_REQUEST" | "ADDRESS_NOT_ALLOWED" | "ACCOUNT_SUSPENDED" | (string & {});
                };
            };
        };
        /**
         * @description `CROSS_SITE_REQUEST`: A write of a session did not come from a page of this service. Call from a page of the service, whose Origin the browser sends; programs use an API key.
         *
         *     `INSUFFICIENT_SCOPE`: The API key lacks the scope of this operation. Use a key that has the scope.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         */
        CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "CROSS_SITE_REQUEST" | "INSUFFICIENT_SCOPE" | "ADDRESS_NOT_ALLOWED" | "ACCOUNT_SUSPENDED" | (string & {});
                };
            };
        };
        /**
         * @description `CROSS_SITE_REQUEST`: A write of a session did not come from a page of this service. Call from a page of the service, whose Origin the browser sends; programs use an API key.
         *
         *     `INSUFFICIENT_SCOPE`: The API key lacks the scope of this operation. Use a key that has the scope.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         *
         *     `ACCOUNT_CLOSED`: The account was closed while the request was under way. Use a key of another account.
         */
        CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspendedOrAccountClosed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "CROSS_SITE_REQUEST" | "INSUFFICIENT_SCOPE" | "ADDRESS_NOT_ALLOWED" | "ACCOUNT_SUSPENDED" | "ACCOUNT_CLOSED" | (string & {});
                };
            };
        };
        /**
         * @description `CROSS_SITE_REQUEST`: A write of a session did not come from a page of this service. Call from a page of the service, whose Origin the browser sends; programs use an API key.
         *
         *     `INSUFFICIENT_SCOPE`: The API key lacks the scope of this operation. Use a key that has the scope.
         *
         *     `TEST_KEY_LIVE_BILLING`: A test key cannot call an operation that charges credits. Use a live key.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         */
        CrossSiteRequestOrInsufficientScopeOrTestKeyLiveBillingOrAddressNotAllowedOrAccountSuspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "CROSS_SITE_REQUEST" | "INSUFFICIENT_SCOPE" | "TEST_KEY_LIVE_BILLING" | "ADDRESS_NOT_ALLOWED" | "ACCOUNT_SUSPENDED" | (string & {});
                };
            };
        };
        /**
         * @description `CROSS_SITE_REQUEST`: A write of a session did not come from a page of this service. Call from a page of the service, whose Origin the browser sends; programs use an API key.
         *
         *     `INSUFFICIENT_SCOPE`: The API key lacks the scope of this operation. Use a key that has the scope.
         *
         *     `TEST_KEY_LIVE_BILLING`: A test key cannot call an operation that charges credits. Use a live key.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         *
         *     `ACCOUNT_CLOSED`: The account was closed while the request was under way. Use a key of another account.
         */
        CrossSiteRequestOrInsufficientScopeOrTestKeyLiveBillingOrAddressNotAllowedOrAccountSuspendedOrAccountClosed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "CROSS_SITE_REQUEST" | "INSUFFICIENT_SCOPE" | "TEST_KEY_LIVE_BILLING" | "ADDRESS_NOT_ALLOWED" | "ACCOUNT_SUSPENDED" | "ACCOUNT_CLOSED" | (string & {});
                };
            };
        };
        /**
         * @description `CROSS_SITE_REQUEST`: A write of a session did not come from a page of this service. Call from a page of the service, whose Origin the browser sends; programs use an API key.
         *
         *     `SESSION_REQUIRED`: This operation cannot be called with an API key. Sign in with a browser, and do it there.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         */
        CrossSiteRequestOrSessionRequiredOrAddressNotAllowedOrAccountSuspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "CROSS_SITE_REQUEST" | "SESSION_REQUIRED" | "ADDRESS_NOT_ALLOWED" | "ACCOUNT_SUSPENDED" | (string & {});
                };
            };
        };
        /**
         * @description `CROSS_SITE_REQUEST`: A write of a session did not come from a page of this service. Call from a page of the service, whose Origin the browser sends; programs use an API key.
         *
         *     `SESSION_REQUIRED`: This operation cannot be called with an API key. Sign in with a browser, and do it there.
         *
         *     `SIGN_IN_AGAIN`: This operation needs a sign-in of the last twelve hours. Sign in again, then repeat the request.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         */
        CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrAccountSuspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "CROSS_SITE_REQUEST" | "SESSION_REQUIRED" | "SIGN_IN_AGAIN" | "ADDRESS_NOT_ALLOWED" | "ACCOUNT_SUSPENDED" | (string & {});
                };
            };
        };
        /**
         * @description `CROSS_SITE_REQUEST`: A write of a session did not come from a page of this service. Call from a page of the service, whose Origin the browser sends; programs use an API key.
         *
         *     `SESSION_REQUIRED`: This operation cannot be called with an API key. Sign in with a browser, and do it there.
         *
         *     `SIGN_IN_AGAIN`: This operation needs a sign-in of the last twelve hours. Sign in again, then repeat the request.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         *
         *     `ACCOUNT_CLOSED`: The account was closed while the request was under way. Use a key of another account.
         */
        CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrAccountSuspendedOrAccountClosed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "CROSS_SITE_REQUEST" | "SESSION_REQUIRED" | "SIGN_IN_AGAIN" | "ADDRESS_NOT_ALLOWED" | "ACCOUNT_SUSPENDED" | "ACCOUNT_CLOSED" | (string & {});
                };
            };
        };
        /**
         * @description `CROSS_SITE_REQUEST`: A write of a session did not come from a page of this service. Call from a page of the service, whose Origin the browser sends; programs use an API key.
         *
         *     `SESSION_REQUIRED`: This operation cannot be called with an API key. Sign in with a browser, and do it there.
         *
         *     `SIGN_IN_AGAIN`: This operation needs a sign-in of the last twelve hours. Sign in again, then repeat the request.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `OWNER_REQUIRED`: This operation is for the owners of the account. Ask an owner of the account to do it, or to make you an owner.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         */
        CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "CROSS_SITE_REQUEST" | "SESSION_REQUIRED" | "SIGN_IN_AGAIN" | "ADDRESS_NOT_ALLOWED" | "OWNER_REQUIRED" | "ACCOUNT_SUSPENDED" | (string & {});
                };
            };
        };
        /**
         * @description `CROSS_SITE_REQUEST`: A write of a session did not come from a page of this service. Call from a page of the service, whose Origin the browser sends; programs use an API key.
         *
         *     `SESSION_REQUIRED`: This operation cannot be called with an API key. Sign in with a browser, and do it there.
         *
         *     `SIGN_IN_AGAIN`: This operation needs a sign-in of the last twelve hours. Sign in again, then repeat the request.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `OWNER_REQUIRED`: This operation is for the owners of the account. Ask an owner of the account to do it, or to make you an owner.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         *
         *     `ACCOUNT_CLOSED`: The account was closed while the request was under way. Use a key of another account.
         */
        CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspendedOrAccountClosed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "CROSS_SITE_REQUEST" | "SESSION_REQUIRED" | "SIGN_IN_AGAIN" | "ADDRESS_NOT_ALLOWED" | "OWNER_REQUIRED" | "ACCOUNT_SUSPENDED" | "ACCOUNT_CLOSED" | (string & {});
                };
            };
        };
        /**
         * @description `INSUFFICIENT_SCOPE`: The API key lacks the scope of this operation. Use a key that has the scope.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         */
        InsufficientScopeOrAddressNotAllowedOrAccountSuspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "INSUFFICIENT_SCOPE" | "ADDRESS_NOT_ALLOWED" | "ACCOUNT_SUSPENDED" | (string & {});
                };
            };
        };
        /**
         * @description `INSUFFICIENT_SCOPE`: The API key lacks the scope of this operation. Use a key that has the scope.
         *
         *     `SESSION_REQUIRED`: This operation cannot be called with an API key. Sign in with a browser, and do it there.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         */
        InsufficientScopeOrSessionRequiredOrAddressNotAllowedOrAccountSuspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "INSUFFICIENT_SCOPE" | "SESSION_REQUIRED" | "ADDRESS_NOT_ALLOWED" | "ACCOUNT_SUSPENDED" | (string & {});
                };
            };
        };
        /**
         * @description `SESSION_REQUIRED`: This operation cannot be called with an API key. Sign in with a browser, and do it there.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `OWNER_REQUIRED`: This operation is for the owners of the account. Ask an owner of the account to do it, or to make you an owner.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         */
        ListAuditLogForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "SESSION_REQUIRED" | "ADDRESS_NOT_ALLOWED" | "OWNER_REQUIRED" | "ACCOUNT_SUSPENDED" | (string & {});
                };
            };
        };
        /**
         * @description `OIDC_REFUSED`: The provider of sign-ins refused the person, or what it sent back cannot be trusted. Begin again; when it happens again, ask the operator, whose log has the reason.
         *
         *     `OIDC_ADDRESS_UNVERIFIED`: The e-mail address of the person is not proved at both the provider and this service. Confirm the address where it is not proved, then begin the sign-in again.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         *
         *     `ACCOUNT_CLOSED`: The account was closed while the request was under way. Use a key of another account.
         */
        OidcCallbackForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "OIDC_REFUSED" | "OIDC_ADDRESS_UNVERIFIED" | "ACCOUNT_SUSPENDED" | "ACCOUNT_CLOSED" | (string & {});
                };
            };
        };
        /** @description `OIDC_REFUSED`: The provider of sign-ins refused the person, or what it sent back cannot be trusted. Begin again; when it happens again, ask the operator, whose log has the reason. */
        OidcRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "OIDC_REFUSED" | (string & {});
                };
            };
        };
        /**
         * @description `CROSS_SITE_REQUEST`: A write of a session did not come from a page of this service. Call from a page of the service, whose Origin the browser sends; programs use an API key.
         *
         *     `KEY_REQUIRED`: This operation is about the API key that it is called with, and was called without one. Send the API key as a bearer token.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         */
        RevokeThisApiKeyForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "CROSS_SITE_REQUEST" | "KEY_REQUIRED" | "ADDRESS_NOT_ALLOWED" | "ACCOUNT_SUSPENDED" | (string & {});
                };
            };
        };
        /**
         * @description `SESSION_REQUIRED`: This operation cannot be called with an API key. Sign in with a browser, and do it there.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         */
        SessionRequiredOrAddressNotAllowedOrAccountSuspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "SESSION_REQUIRED" | "ADDRESS_NOT_ALLOWED" | "ACCOUNT_SUSPENDED" | (string & {});
                };
            };
        };
        /**
         * @description `SESSION_REQUIRED`: This operation cannot be called with an API key. Sign in with a browser, and do it there.
         *
         *     `SIGN_IN_AGAIN`: This operation needs a sign-in of the last twelve hours. Sign in again, then repeat the request.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         */
        SessionRequiredOrSignInAgainOrAddressNotAllowedOrAccountSuspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "SESSION_REQUIRED" | "SIGN_IN_AGAIN" | "ADDRESS_NOT_ALLOWED" | "ACCOUNT_SUSPENDED" | (string & {});
                };
            };
        };
        /**
         * @description `SESSION_REQUIRED`: This operation cannot be called with an API key. Sign in with a browser, and do it there.
         *
         *     `SIGN_IN_AGAIN`: This operation needs a sign-in of the last twelve hours. Sign in again, then repeat the request.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `OWNER_REQUIRED`: This operation is for the owners of the account. Ask an owner of the account to do it, or to make you an owner.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         */
        SessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "SESSION_REQUIRED" | "SIGN_IN_AGAIN" | "ADDRESS_NOT_ALLOWED" | "OWNER_REQUIRED" | "ACCOUNT_SUSPENDED" | (string & {});
                };
            };
        };
        /**
         * @description `TOTP_REFUSED`: The code of the second factor is wrong, or was taken before. Wait for the next code of the authenticator, and check the clock of its device.
         *
         *     `CROSS_SITE_REQUEST`: A write of a session did not come from a page of this service. Call from a page of the service, whose Origin the browser sends; programs use an API key.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         *
         *     `ACCOUNT_CLOSED`: The account was closed while the request was under way. Use a key of another account.
         */
        TotpRefusedOrCrossSiteRequestOrAccountSuspendedOrAccountClosed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "TOTP_REFUSED" | "CROSS_SITE_REQUEST" | "ACCOUNT_SUSPENDED" | "ACCOUNT_CLOSED" | (string & {});
                };
            };
        };
        /**
         * @description `TOTP_REFUSED`: The code of the second factor is wrong, or was taken before. Wait for the next code of the authenticator, and check the clock of its device.
         *
         *     `CROSS_SITE_REQUEST`: A write of a session did not come from a page of this service. Call from a page of the service, whose Origin the browser sends; programs use an API key.
         *
         *     `SESSION_REQUIRED`: This operation cannot be called with an API key. Sign in with a browser, and do it there.
         *
         *     `SIGN_IN_AGAIN`: This operation needs a sign-in of the last twelve hours. Sign in again, then repeat the request.
         *
         *     `ADDRESS_NOT_ALLOWED`: The API key is bound to networks, and the call came from another one. Call from a network of the list allowedCidrs of the key, or make another key.
         *
         *     `ACCOUNT_SUSPENDED`: The account is suspended: it can call nothing and start nothing, and its open jobs run to their end. Ask the operator of the service; the same request is accepted once the account is active again.
         */
        TotpRefusedOrCrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrAccountSuspended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "TOTP_REFUSED" | "CROSS_SITE_REQUEST" | "SESSION_REQUIRED" | "SIGN_IN_AGAIN" | "ADDRESS_NOT_ALLOWED" | "ACCOUNT_SUSPENDED" | (string & {});
                };
            };
        };
        /** @description `INPUT_NOT_FOUND`: A storage key names no stored file of this account. Upload the file, and send the storage key that the upload answered. */
        InputNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "INPUT_NOT_FOUND" | (string & {});
                };
            };
        };
        /** @description `NOT_FOUND`: There is no such path or resource in this account. Check the address and the id. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "NOT_FOUND" | (string & {});
                };
            };
        };
        /**
         * @description `NOT_FOUND`: There is no such path or resource in this account. Check the address and the id.
         *
         *     `INPUT_NOT_FOUND`: A storage key names no stored file of this account. Upload the file, and send the storage key that the upload answered.
         */
        NotFoundOrInputNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "NOT_FOUND" | "INPUT_NOT_FOUND" | (string & {});
                };
            };
        };
        /** @description `OIDC_NOT_CONFIGURED`: The operator of the service has named no provider of sign-ins. Sign in with address and password instead. */
        OidcNotConfigured: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "OIDC_NOT_CONFIGURED" | (string & {});
                };
            };
        };
        /** @description `REQUEST_TIMEOUT`: The request, or a part of its body, did not come in time. Repeat the request, over a faster line if it is large. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "REQUEST_TIMEOUT" | (string & {});
                };
            };
        };
        /**
         * @description `ALREADY_MEMBER`: The person of this address is a member of the account already. Change the role of the member, if that was the wish.
         *
         *     `OTHER_ACCOUNT`: The person of this address belongs to another account, and nobody belongs to two. Leave the other account first, as the error says, or be invited with another address. An account of your own is left when it has no credits, debt, jobs and keys.
         */
        AcceptInvitationConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "ALREADY_MEMBER" | "OTHER_ACCOUNT" | (string & {});
                };
            };
        };
        /**
         * @description `LAST_OWNER`: An account has at least one owner, and this is the last one. Make somebody else an owner first. Whoever is alone in an account without credits, debt, jobs and keys may leave it, which closes it; else ask the operator of the service to close it.
         *
         *     `IDEMPOTENCY_IN_PROGRESS`: The first request with this idempotency key is still running. Repeat the request after Retry-After seconds.
         */
        ChangeMemberConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "LAST_OWNER" | "IDEMPOTENCY_IN_PROGRESS" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_IN_PROGRESS`: The first request with this idempotency key is still running. Repeat the request after Retry-After seconds.
         *
         *     `UPLOAD_INCOMPLETE`: The upload is not complete yet. Send the missing bytes, then repeat the request.
         *
         *     `UPLOAD_ALREADY_COMPLETE`: The upload is complete and cannot be changed. Start a new upload for other bytes.
         */
        CompleteMultipartUploadConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_IN_PROGRESS" | "UPLOAD_INCOMPLETE" | "UPLOAD_ALREADY_COMPLETE" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_IN_PROGRESS`: The first request with this idempotency key is still running. Repeat the request after Retry-After seconds.
         *
         *     `RECEIPT_NOT_READY`: The execution is not settled yet, or the receipt of the execution or of the revision is just being made. Wait for the end or the pause of the job, then ask for the receipt again; for that of a revision, ask in a minute.
         *
         *     `UPLOAD_INCOMPLETE`: The upload is not complete yet. Send the missing bytes, then repeat the request.
         */
        ConvertFileConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_IN_PROGRESS" | "RECEIPT_NOT_READY" | "UPLOAD_INCOMPLETE" | (string & {});
                };
            };
        };
        /** @description `IDEMPOTENCY_IN_PROGRESS`: The first request with this idempotency key is still running. Repeat the request after Retry-After seconds. */
        IdempotencyInProgress: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_IN_PROGRESS" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_IN_PROGRESS`: The first request with this idempotency key is still running. Repeat the request after Retry-After seconds.
         *
         *     `NOTHING_TO_EXPORT`: No result of the batch or run is one that the export was asked for. Look at the results with the same filters; wait for the first result, or ask for others.
         */
        IdempotencyInProgressOrNothingToExport: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_IN_PROGRESS" | "NOTHING_TO_EXPORT" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_IN_PROGRESS`: The first request with this idempotency key is still running. Repeat the request after Retry-After seconds.
         *
         *     `UPLOAD_ALREADY_COMPLETE`: The upload is complete and cannot be changed. Start a new upload for other bytes.
         */
        IdempotencyInProgressOrUploadAlreadyComplete: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_IN_PROGRESS" | "UPLOAD_ALREADY_COMPLETE" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_IN_PROGRESS`: The first request with this idempotency key is still running. Repeat the request after Retry-After seconds.
         *
         *     `UPLOAD_INCOMPLETE`: The upload is not complete yet. Send the missing bytes, then repeat the request.
         */
        IdempotencyInProgressOrUploadIncomplete: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_IN_PROGRESS" | "UPLOAD_INCOMPLETE" | (string & {});
                };
            };
        };
        /**
         * @description `ALREADY_MEMBER`: The person of this address is a member of the account already. Change the role of the member, if that was the wish.
         *
         *     `IDEMPOTENCY_IN_PROGRESS`: The first request with this idempotency key is still running. Repeat the request after Retry-After seconds.
         */
        InviteMemberConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "ALREADY_MEMBER" | "IDEMPOTENCY_IN_PROGRESS" | (string & {});
                };
            };
        };
        /** @description `KEY_ALREADY_ISSUED`: The API key of this idempotency key was shown once already. Revoke the API key, and create another one. */
        KeyAlreadyIssued: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "KEY_ALREADY_ISSUED" | (string & {});
                };
            };
        };
        /** @description `LAST_OWNER`: An account has at least one owner, and this is the last one. Make somebody else an owner first. Whoever is alone in an account without credits, debt, jobs and keys may leave it, which closes it; else ask the operator of the service to close it. */
        LastOwner: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "LAST_OWNER" | (string & {});
                };
            };
        };
        /** @description `RECEIPT_NOT_READY`: The execution is not settled yet, or the receipt of the execution or of the revision is just being made. Wait for the end or the pause of the job, then ask for the receipt again; for that of a revision, ask in a minute. */
        ReceiptNotReady: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "RECEIPT_NOT_READY" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_IN_PROGRESS`: The first request with this idempotency key is still running. Repeat the request after Retry-After seconds.
         *
         *     `JOB_NOT_RESUMABLE`: The job is in a state that cannot be resumed, or its inputs are gone. Look at the status: resume a job that is paused or has ended with something missing, or submit it as a new job.
         */
        ResumeJobConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_IN_PROGRESS" | "JOB_NOT_RESUMABLE" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_IN_PROGRESS`: The first request with this idempotency key is still running. Repeat the request after Retry-After seconds.
         *
         *     `BATCH_RUNNING`: A run of the batch is not over. Wait until the run has ended, or cancel it; then repeat the request.
         *
         *     `NOTHING_TO_RETRY`: Nothing in the batch failed in the way that was asked for. Look at the failures of the batch, and send the codes to repeat.
         *
         *     `UPLOAD_INCOMPLETE`: The upload is not complete yet. Send the missing bytes, then repeat the request.
         */
        RetryFailedDockingConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_IN_PROGRESS" | "BATCH_RUNNING" | "NOTHING_TO_RETRY" | "UPLOAD_INCOMPLETE" | (string & {});
                };
            };
        };
        /**
         * @description `KEY_ALREADY_ISSUED`: The API key of this idempotency key was shown once already. Revoke the API key, and create another one.
         *
         *     `KEY_ENDED`: The API key was revoked or has expired, so nothing can take its place. Create another API key.
         */
        RotateApiKeyConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "KEY_ALREADY_ISSUED" | "KEY_ENDED" | (string & {});
                };
            };
        };
        /** @description `TOTP_ENABLED`: The person has a second factor already. Take the second factor away, then begin with another one. */
        TotpEnabled: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "TOTP_ENABLED" | (string & {});
                };
            };
        };
        /** @description `UPLOAD_ALREADY_COMPLETE`: The upload is complete and cannot be changed. Start a new upload for other bytes. */
        UploadAlreadyComplete: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "UPLOAD_ALREADY_COMPLETE" | (string & {});
                };
            };
        };
        /** @description `UPLOAD_INCOMPLETE`: The upload is not complete yet. Send the missing bytes, then repeat the request. */
        UploadIncomplete: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "UPLOAD_INCOMPLETE" | (string & {});
                };
            };
        };
        /** @description `VERSION_CONFLICT`: The resource has moved on to currentVersion. Read the resource again, then decide which of your changes to keep. */
        VersionConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "VERSION_CONFLICT" | (string & {});
                };
            };
        };
        /** @description `CODE_EXPIRED`: The code of the mail is unknown, was used, or is too old. Ask for another mail, and use its code at once. */
        CodeExpired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "CODE_EXPIRED" | (string & {});
                };
            };
        };
        /** @description `CURSOR_EXPIRED`: The cursor of the events is older than 30 days, or from before the service was restored. Take the cursor of GET /events?latest=true, read the lists of what you follow, then go on with that cursor. */
        CursorExpired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "CURSOR_EXPIRED" | (string & {});
                };
            };
        };
        /** @description `OIDC_EXPIRED`: This browser has begun no such sign-in at the provider, or the sign-in was used or is too old. Begin at GET /auth/oidc/start again, in the same browser and with its cookies. */
        OidcExpired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "OIDC_EXPIRED" | (string & {});
                };
            };
        };
        /** @description `SHARE_REVOKED`: The share was revoked, or its project was deleted. Ask whoever gave you the link for a new one. */
        ShareRevoked: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "SHARE_REVOKED" | (string & {});
                };
            };
        };
        /** @description `SOURCE_LOST`: The file of an artifact is not stored any more, though its record is. Open the rest of the scene without it, or upload the file as a new one and name that in its place. */
        SourceLost: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "SOURCE_LOST" | (string & {});
                };
            };
        };
        /**
         * @description `SOURCE_LOST`: The file of an artifact is not stored any more, though its record is. Open the rest of the scene without it, or upload the file as a new one and name that in its place.
         *
         *     `SHARE_REVOKED`: The share was revoked, or its project was deleted. Ask whoever gave you the link for a new one.
         */
        SourceLostOrShareRevoked: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "SOURCE_LOST" | "SHARE_REVOKED" | (string & {});
                };
            };
        };
        /** @description `UPLOAD_EXPIRED`: The upload was not completed in time. Start a new upload. */
        UploadExpired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "UPLOAD_EXPIRED" | (string & {});
                };
            };
        };
        /**
         * @description `UPLOAD_EXPIRED`: The upload was not completed in time. Start a new upload.
         *
         *     `UPLOAD_ABORTED`: The upload was aborted. Start a new upload if the file is still wanted.
         */
        UploadExpiredOrUploadAborted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "UPLOAD_EXPIRED" | "UPLOAD_ABORTED" | (string & {});
                };
            };
        };
        /** @description `PAYLOAD_TOO_LARGE`: The body, or the file that the body announces, is larger than this operation takes. Send at most what the error names. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "PAYLOAD_TOO_LARGE" | (string & {});
                };
            };
        };
        /**
         * @description `PAYLOAD_TOO_LARGE`: The body, or the file that the body announces, is larger than this operation takes. Send at most what the error names.
         *
         *     `STORAGE_QUOTA_EXCEEDED`: The account has no room for a file of this size. Abort open uploads, let files that nobody uses end, or ask for a larger plan.
         */
        PayloadTooLargeOrStorageQuotaExceeded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "PAYLOAD_TOO_LARGE" | "STORAGE_QUOTA_EXCEEDED" | (string & {});
                };
            };
        };
        /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is not JSON in UTF-8. Send Content-Type application/json without a content encoding. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "UNSUPPORTED_MEDIA_TYPE" | (string & {});
                };
            };
        };
        /** @description `RANGE_NOT_SATISFIABLE`: The range starts at or beyond the present end. Ask again when there is more. */
        RangeNotSatisfiable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "RANGE_NOT_SATISFIABLE" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request.
         *
         *     `DESTINATION_REFUSED`: The service does not connect to this host or port. Name a host of the public internet, and port 80, 443 or one from 1024 on.
         *
         *     `LICENSE_SERVER_LIMIT_REACHED`: The account has as many licence servers as it may have. Remove a licence server that nobody uses, then repeat the request.
         */
        AddLicenseServerUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_KEY_REUSED" | "DESTINATION_REFUSED" | "LICENSE_SERVER_LIMIT_REACHED" | (string & {});
                };
            };
        };
        /**
         * @description `DESTINATION_REFUSED`: The service does not connect to this host or port. Name a host of the public internet, and port 80, 443 or one from 1024 on.
         *
         *     `LICENSE_SECRET_REQUIRED`: The stored secret was given for another protocol, host or port. Send the secret with the change, or null for none.
         */
        ChangeLicenseServerUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "DESTINATION_REFUSED" | "LICENSE_SECRET_REQUIRED" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request.
         *
         *     `SOURCE_TOO_LARGE`: The artifact is larger than the 64 MiB that a scene opens. Download it by its download address, and choose fewer models or chains for the scene.
         *
         *     `EXPORT_NOT_PUBLIC`: The scene shows data that nobody outside of the account may read, so a scene file alone would open empty. Export it as .mvsx (format=mvsx), which carries its data, or share a revision that names the data and export again.
         *
         *     `SCENE_MISSING`: The content of the revision has no scene, so there is nothing that a viewer would open. Save a revision whose content has a member scene, and export that one.
         *
         *     `CONVERSION_FAILED`: The file could not be converted; the error says why. Convert a smaller file, or report the failure with the id of the request.
         *
         *     `ARTIFACT_MISMATCH`: An artifact reference disagrees with the stored artifact. Send the reference as it was answered.
         *
         *     `SIZE_MISMATCH`: The stored object has another size than announced. Upload the file again.
         *
         *     `CHECKSUM_MISMATCH`: The stored object has another SHA-256 than announced, or than when it was verified. Upload the file again, and name the digest of these bytes.
         *
         *     `CONVERSION_UNSUPPORTED`: Nothing is converted from this format to that one; the message lists the pairs that there are. Choose one of the pairs. The end of the name of an uploaded file, or the format of an artifact, says what is read.
         *
         *     `CONVERSION_IMPOSSIBLE`: The other format cannot say what the file says, such as long ids in PDB, or it would have to be guessed. Keep the file as it is, or take out what the message names before you convert it.
         *
         *     `CONVERSION_INPUT_UNREADABLE`: The file is not whole, or is not of the format that it is called. Correct what the message names, give the file its right name, unpack it, or upload it again.
         */
        ConvertFileUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_KEY_REUSED" | "SOURCE_TOO_LARGE" | "EXPORT_NOT_PUBLIC" | "SCENE_MISSING" | "CONVERSION_FAILED" | "ARTIFACT_MISMATCH" | "SIZE_MISMATCH" | "CHECKSUM_MISMATCH" | "CONVERSION_UNSUPPORTED" | "CONVERSION_IMPOSSIBLE" | "CONVERSION_INPUT_UNREADABLE" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request.
         *
         *     `KEY_LIMIT_REACHED`: The account has as many open API keys as it may have. Revoke an API key that nobody uses, then repeat the request.
         *
         *     `COST_LIMIT_EXCEEDED`: The hold would pass a cost limit: of one job, of the account in this UTC month, or of the API key in this UTC month. What is charged and what is held counts. A new key of a member would pass what owners let the keys of a member cost. Raise the limit that the error names, or make the job smaller; a resume may also send a smaller limitCents, and a new key a smaller monthlyLimitCents.
         */
        CreateApiKeyUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_KEY_REUSED" | "KEY_LIMIT_REACHED" | "COST_LIMIT_EXCEEDED" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request.
         *
         *     `CHECKSUM_MISMATCH`: The stored object has another SHA-256 than announced, or than when it was verified. Upload the file again, and name the digest of these bytes.
         */
        CreateDockingArtifactDownloadUrlUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_KEY_REUSED" | "CHECKSUM_MISMATCH" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request.
         *
         *     `UNSUPPORTED_SIMULATOR`: The simulator is not supported here. Use a simulator that the error names.
         *
         *     `CAPACITY_LIMIT_EXCEEDED`: One instance of the job has more vCPUs or GPUs than a limit ever lets be granted at once, so the job would never begin. Ask for fewer vCPUs or GPUs per task, or ask the operator for a higher limit.
         *
         *     `INPUT_MISSING`: An input that the simulator needs is missing. Send exactly one of the fields that the error names.
         *
         *     `INPUT_CONFLICT`: Fields that exclude each other were sent together. Keep one of the fields that the error names.
         *
         *     `ARTIFACT_MISMATCH`: An artifact reference disagrees with the stored artifact. Send the reference as it was answered.
         *
         *     `SIZE_MISMATCH`: The stored object has another size than announced. Upload the file again.
         *
         *     `CHECKSUM_MISMATCH`: The stored object has another SHA-256 than announced, or than when it was verified. Upload the file again, and name the digest of these bytes.
         *
         *     `COST_LIMIT_EXCEEDED`: The hold would pass a cost limit: of one job, of the account in this UTC month, or of the API key in this UTC month. What is charged and what is held counts. A new key of a member would pass what owners let the keys of a member cost. Raise the limit that the error names, or make the job smaller; a resume may also send a smaller limitCents, and a new key a smaller monthlyLimitCents.
         *
         *     `BOX_MISSING`: No centre of the docking box was given. Send boxCenterAngstrom, pocketLigand or pocketResidues.
         *
         *     `BOX_CONFLICT`: More than one centre of the docking box was given. Keep one of boxCenterAngstrom, pocketLigand and pocketResidues.
         *
         *     `BOX_SIZE_REQUIRED`: A docking box that is given by its centre needs a size. Send boxSizeAngstrom with boxCenterAngstrom.
         *
         *     `PREPARATION_CONFLICT`: Options of the receptor preparation exclude each other. Change the option that the error names.
         *
         *     `LIGAND_CONFIRMATION_INVALID`: The confirmation of a ligand is not genuine, has expired, or was made for another account, query or ligand; the error says which. Leave the confirmation out, or resolve the ligand again.
         *
         *     `LIBRARY_EMPTY`: The ligand library has no record. Send a file with at least one ligand; empty lines, comments and headings are no records.
         *
         *     `LIBRARY_TOO_LARGE`: The ligand library has more than 10,000 records, or more than 256 MB when it is unpacked. Cut the library into several files, and dock each of them.
         *
         *     `LIBRARY_RECORD_TOO_LARGE`: One record of the ligand library has more than 4 MiB or more than 1,024 columns; the message names its line. Remove the record, or end it where the next one begins.
         *
         *     `LIBRARY_UNREADABLE`: The ligand library is no text in UTF-8 as its format asks for it; the message says what it is. Save the library as plain text in UTF-8 (in a spreadsheet program: CSV UTF-8), as it is or packed once with gzip, and upload it anew.
         *
         *     `LIBRARY_COLUMN_MISSING`: The table of ligands has no column of SMILES; the message names the columns that it has. Call the column with the structures smiles; commas, semicolons or tabs stand between the columns.
         *
         *     `DATABASE_MISSING`: The request names no database. Send blastDatabaseName or blastDatabasePath.
         *
         *     `DATABASE_CONFLICT`: The request names two databases. Send blastDatabaseName or blastDatabasePath, not both.
         *
         *     `DATABASE_MISMATCH`: No database of this installation is what the request says; the message names the field. Correct or leave out the field, or name another database.
         *
         *     `DATABASE_TYPE_MISMATCH`: The database holds sequences of the other type. Search proteins (prot) with blastp and nucleotide sequences (nucl) with blastn.
         *
         *     `DATABASE_FILE_MISSING`: Neither an attachment nor the project package of sceneFile has the file that blastDatabasePath names. Upload the file and add its storage key to attachments, or upload it into the package; blastDatabasePath is its name, or its path there.
         *
         *     `QUERY_EMPTY`: The file of queries has no sequence. Send a FASTA file with at least one sequence.
         *
         *     `QUERY_INVALID`: A query cannot be read; the message names its record and line and says why. Mend the record. Two different sequences need two names, which are the first words after >.
         *
         *     `QUERY_TYPE_MISMATCH`: A query is a nucleotide sequence where proteins are searched, or the other way round. Use blastp for proteins and blastn for nucleotide sequences.
         *
         *     `QUERY_TOO_LARGE`: The queries, or one of them, are larger than a search takes: 64 MiB, 100,000 queries, 100,000 residues or 10 million bases each. Split the file, or search the part of the sequence that matters.
         */
        CreateDockingBatchUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_KEY_REUSED" | "UNSUPPORTED_SIMULATOR" | "CAPACITY_LIMIT_EXCEEDED" | "INPUT_MISSING" | "INPUT_CONFLICT" | "ARTIFACT_MISMATCH" | "SIZE_MISMATCH" | "CHECKSUM_MISMATCH" | "COST_LIMIT_EXCEEDED" | "BOX_MISSING" | "BOX_CONFLICT" | "BOX_SIZE_REQUIRED" | "PREPARATION_CONFLICT" | "LIGAND_CONFIRMATION_INVALID" | "LIBRARY_EMPTY" | "LIBRARY_TOO_LARGE" | "LIBRARY_RECORD_TOO_LARGE" | "LIBRARY_UNREADABLE" | "LIBRARY_COLUMN_MISSING" | "DATABASE_MISSING" | "DATABASE_CONFLICT" | "DATABASE_MISMATCH" | "DATABASE_TYPE_MISMATCH" | "DATABASE_FILE_MISSING" | "QUERY_EMPTY" | "QUERY_INVALID" | "QUERY_TYPE_MISMATCH" | "QUERY_TOO_LARGE" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request.
         *
         *     `INPUT_MISSING`: An input that the simulator needs is missing. Send exactly one of the fields that the error names.
         *
         *     `INPUT_CONFLICT`: Fields that exclude each other were sent together. Keep one of the fields that the error names.
         *
         *     `ARTIFACT_MISMATCH`: An artifact reference disagrees with the stored artifact. Send the reference as it was answered.
         *
         *     `BOX_MISSING`: No centre of the docking box was given. Send boxCenterAngstrom, pocketLigand or pocketResidues.
         *
         *     `BOX_CONFLICT`: More than one centre of the docking box was given. Keep one of boxCenterAngstrom, pocketLigand and pocketResidues.
         *
         *     `BOX_SIZE_REQUIRED`: A docking box that is given by its centre needs a size. Send boxSizeAngstrom with boxCenterAngstrom.
         *
         *     `PREPARATION_CONFLICT`: Options of the receptor preparation exclude each other. Change the option that the error names.
         *
         *     `LIGAND_CONFIRMATION_INVALID`: The confirmation of a ligand is not genuine, has expired, or was made for another account, query or ligand; the error says which. Leave the confirmation out, or resolve the ligand again.
         *
         *     `DATABASE_MISSING`: The request names no database. Send blastDatabaseName or blastDatabasePath.
         *
         *     `DATABASE_CONFLICT`: The request names two databases. Send blastDatabaseName or blastDatabasePath, not both.
         *
         *     `DATABASE_MISMATCH`: No database of this installation is what the request says; the message names the field. Correct or leave out the field, or name another database.
         *
         *     `DATABASE_TYPE_MISMATCH`: The database holds sequences of the other type. Search proteins (prot) with blastp and nucleotide sequences (nucl) with blastn.
         *
         *     `DATABASE_FILE_MISSING`: Neither an attachment nor the project package of sceneFile has the file that blastDatabasePath names. Upload the file and add its storage key to attachments, or upload it into the package; blastDatabasePath is its name, or its path there.
         *
         *     `QUERY_EMPTY`: The file of queries has no sequence. Send a FASTA file with at least one sequence.
         *
         *     `QUERY_INVALID`: A query cannot be read; the message names its record and line and says why. Mend the record. Two different sequences need two names, which are the first words after >.
         *
         *     `QUERY_TYPE_MISMATCH`: A query is a nucleotide sequence where proteins are searched, or the other way round. Use blastp for proteins and blastn for nucleotide sequences.
         *
         *     `QUERY_TOO_LARGE`: The queries, or one of them, are larger than a search takes: 64 MiB, 100,000 queries, 100,000 residues or 10 million bases each. Split the file, or search the part of the sequence that matters.
         */
        CreateDockingExperimentUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_KEY_REUSED" | "INPUT_MISSING" | "INPUT_CONFLICT" | "ARTIFACT_MISMATCH" | "BOX_MISSING" | "BOX_CONFLICT" | "BOX_SIZE_REQUIRED" | "PREPARATION_CONFLICT" | "LIGAND_CONFIRMATION_INVALID" | "DATABASE_MISSING" | "DATABASE_CONFLICT" | "DATABASE_MISMATCH" | "DATABASE_TYPE_MISMATCH" | "DATABASE_FILE_MISSING" | "QUERY_EMPTY" | "QUERY_INVALID" | "QUERY_TYPE_MISMATCH" | "QUERY_TOO_LARGE" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request.
         *
         *     `JOB_TYPE_UNAVAILABLE`: Jobs of this type, or of this type with this software, cannot be run here. Use another job type, or a software that the error names.
         *
         *     `UNSUPPORTED_SIMULATOR`: The simulator is not supported here. Use a simulator that the error names.
         *
         *     `CAPACITY_LIMIT_EXCEEDED`: One instance of the job has more vCPUs or GPUs than a limit ever lets be granted at once, so the job would never begin. Ask for fewer vCPUs or GPUs per task, or ask the operator for a higher limit.
         *
         *     `INPUT_CONFLICT`: Fields that exclude each other were sent together. Keep one of the fields that the error names.
         *
         *     `TASK_COUNT_MISMATCH`: The taskCount does not fit what the inputs hold; the message tells both numbers. Leave taskCount out, or correct it.
         *
         *     `BOX_CONFLICT`: More than one centre of the docking box was given. Keep one of boxCenterAngstrom, pocketLigand and pocketResidues.
         *
         *     `BOX_SIZE_REQUIRED`: A docking box that is given by its centre needs a size. Send boxSizeAngstrom with boxCenterAngstrom.
         *
         *     `PREPARATION_CONFLICT`: Options of the receptor preparation exclude each other. Change the option that the error names.
         *
         *     `LIGAND_CONFIRMATION_INVALID`: The confirmation of a ligand is not genuine, has expired, or was made for another account, query or ligand; the error says which. Leave the confirmation out, or resolve the ligand again.
         *
         *     `DATABASE_CONFLICT`: The request names two databases. Send blastDatabaseName or blastDatabasePath, not both.
         *
         *     `DATABASE_MISMATCH`: No database of this installation is what the request says; the message names the field. Correct or leave out the field, or name another database.
         *
         *     `DATABASE_TYPE_MISMATCH`: The database holds sequences of the other type. Search proteins (prot) with blastp and nucleotide sequences (nucl) with blastn.
         */
        EstimateJobUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_KEY_REUSED" | "JOB_TYPE_UNAVAILABLE" | "UNSUPPORTED_SIMULATOR" | "CAPACITY_LIMIT_EXCEEDED" | "INPUT_CONFLICT" | "TASK_COUNT_MISMATCH" | "BOX_CONFLICT" | "BOX_SIZE_REQUIRED" | "PREPARATION_CONFLICT" | "LIGAND_CONFIRMATION_INVALID" | "DATABASE_CONFLICT" | "DATABASE_MISMATCH" | "DATABASE_TYPE_MISMATCH" | (string & {});
                };
            };
        };
        /**
         * @description `SOURCE_TOO_LARGE`: The artifact is larger than the 64 MiB that a scene opens. Download it by its download address, and choose fewer models or chains for the scene.
         *
         *     `EXPORT_NOT_PUBLIC`: The scene shows data that nobody outside of the account may read, so a scene file alone would open empty. Export it as .mvsx (format=mvsx), which carries its data, or share a revision that names the data and export again.
         *
         *     `SCENE_MISSING`: The content of the revision has no scene, so there is nothing that a viewer would open. Save a revision whose content has a member scene, and export that one.
         *
         *     `CHECKSUM_MISMATCH`: The stored object has another SHA-256 than announced, or than when it was verified. Upload the file again, and name the digest of these bytes.
         */
        ExportProjectRevisionUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "SOURCE_TOO_LARGE" | "EXPORT_NOT_PUBLIC" | "SCENE_MISSING" | "CHECKSUM_MISMATCH" | (string & {});
                };
            };
        };
        /**
         * @description `CONVERSION_FAILED`: The file could not be converted; the error says why. Convert a smaller file, or report the failure with the id of the request.
         *
         *     `CONVERSION_IMPOSSIBLE`: The other format cannot say what the file says, such as long ids in PDB, or it would have to be guessed. Keep the file as it is, or take out what the message names before you convert it.
         *
         *     `CONVERSION_INPUT_UNREADABLE`: The file is not whole, or is not of the format that it is called. Correct what the message names, give the file its right name, unpack it, or upload it again.
         */
        GetConversionUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "CONVERSION_FAILED" | "CONVERSION_IMPOSSIBLE" | "CONVERSION_INPUT_UNREADABLE" | (string & {});
                };
            };
        };
        /**
         * @description `SOURCE_TOO_LARGE`: The artifact is larger than the 64 MiB that a scene opens. Download it by its download address, and choose fewer models or chains for the scene.
         *
         *     `STRUCTURE_UNREADABLE`: The file is no structure that can be read, in pdb or mmcif. Open the file elsewhere and save it anew as pdb or mmcif, then upload it again.
         *
         *     `CHECKSUM_MISMATCH`: The stored object has another SHA-256 than announced, or than when it was verified. Upload the file again, and name the digest of these bytes.
         */
        GetMolecularAssetFactsUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "SOURCE_TOO_LARGE" | "STRUCTURE_UNREADABLE" | "CHECKSUM_MISMATCH" | (string & {});
                };
            };
        };
        /**
         * @description `INSPECTION_FAILED`: The receptor could not be inspected; the error says why. Choose fewer chains or another file, or report the failure.
         *
         *     `RECEPTOR_NOT_FOUND`: The Protein Data Bank has no entry with this id, or no mmCIF file of the entry. Check the id, or upload the file.
         *
         *     `RECEPTOR_FETCH_FAILED`: The structure could not be fetched: the archive did not answer, or sent something else. Submit the request again later, or upload the file.
         *
         *     `RECEPTOR_UNREADABLE`: The file is neither PDB nor mmCIF, is cut off, has an atom in two places, or is too large. Open the file in a viewer and send it whole, or choose fewer chains.
         *
         *     `RECEPTOR_EMPTY`: Nothing of a protein or nucleic acid is left. Check the chains, the model and the assembly.
         */
        GetReceptorInspectionUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "INSPECTION_FAILED" | "RECEPTOR_NOT_FOUND" | "RECEPTOR_FETCH_FAILED" | "RECEPTOR_UNREADABLE" | "RECEPTOR_EMPTY" | (string & {});
                };
            };
        };
        /**
         * @description `SOURCE_TOO_LARGE`: The artifact is larger than the 64 MiB that a scene opens. Download it by its download address, and choose fewer models or chains for the scene.
         *
         *     `STRUCTURE_UNREADABLE`: The file is no structure that can be read, in pdb or mmcif. Open the file elsewhere and save it anew as pdb or mmcif, then upload it again.
         */
        GetStructureFactsUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "SOURCE_TOO_LARGE" | "STRUCTURE_UNREADABLE" | (string & {});
                };
            };
        };
        /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request. */
        IdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_KEY_REUSED" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request.
         *
         *     `SCENE_INVALID`: The scene of a content is no MolViewSpec scene that can be kept: the message names every part that is wrong. Mend the parts that are named; nothing was saved.
         *
         *     `SCENE_SOURCE_REFUSED`: The scene names data from elsewhere, which may be gone or changed tomorrow. Import the data as the message says, name it by its address here, and save again.
         *
         *     `CONTENT_HOLDS_SECRET`: The content holds an API key or a signed address, which everybody who reads the revision could use. Take it out, name the artifact instead, and rotate a key that has left its place.
         */
        IdempotencyKeyReusedOrSceneInvalidOrSceneSourceRefusedOrContentHoldsSecret: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_KEY_REUSED" | "SCENE_INVALID" | "SCENE_SOURCE_REFUSED" | "CONTENT_HOLDS_SECRET" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request.
         *
         *     `SIZE_MISMATCH`: The stored object has another size than announced. Upload the file again.
         *
         *     `CHECKSUM_MISMATCH`: The stored object has another SHA-256 than announced, or than when it was verified. Upload the file again, and name the digest of these bytes.
         */
        IdempotencyKeyReusedOrSizeMismatchOrChecksumMismatch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_KEY_REUSED" | "SIZE_MISMATCH" | "CHECKSUM_MISMATCH" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request.
         *
         *     `UNSUPPORTED_SIMULATOR`: The simulator is not supported here. Use a simulator that the error names.
         *
         *     `CAPACITY_LIMIT_EXCEEDED`: One instance of the job has more vCPUs or GPUs than a limit ever lets be granted at once, so the job would never begin. Ask for fewer vCPUs or GPUs per task, or ask the operator for a higher limit.
         *
         *     `INPUT_MISSING`: An input that the simulator needs is missing. Send exactly one of the fields that the error names.
         *
         *     `INPUT_CONFLICT`: Fields that exclude each other were sent together. Keep one of the fields that the error names.
         *
         *     `ARTIFACT_MISMATCH`: An artifact reference disagrees with the stored artifact. Send the reference as it was answered.
         *
         *     `SIZE_MISMATCH`: The stored object has another size than announced. Upload the file again.
         *
         *     `CHECKSUM_MISMATCH`: The stored object has another SHA-256 than announced, or than when it was verified. Upload the file again, and name the digest of these bytes.
         *
         *     `COST_LIMIT_EXCEEDED`: The hold would pass a cost limit: of one job, of the account in this UTC month, or of the API key in this UTC month. What is charged and what is held counts. A new key of a member would pass what owners let the keys of a member cost. Raise the limit that the error names, or make the job smaller; a resume may also send a smaller limitCents, and a new key a smaller monthlyLimitCents.
         *
         *     `BOX_MISSING`: No centre of the docking box was given. Send boxCenterAngstrom, pocketLigand or pocketResidues.
         *
         *     `BOX_CONFLICT`: More than one centre of the docking box was given. Keep one of boxCenterAngstrom, pocketLigand and pocketResidues.
         *
         *     `BOX_SIZE_REQUIRED`: A docking box that is given by its centre needs a size. Send boxSizeAngstrom with boxCenterAngstrom.
         *
         *     `PREPARATION_CONFLICT`: Options of the receptor preparation exclude each other. Change the option that the error names.
         *
         *     `LIGAND_CONFIRMATION_INVALID`: The confirmation of a ligand is not genuine, has expired, or was made for another account, query or ligand; the error says which. Leave the confirmation out, or resolve the ligand again.
         *
         *     `DATABASE_MISSING`: The request names no database. Send blastDatabaseName or blastDatabasePath.
         *
         *     `DATABASE_CONFLICT`: The request names two databases. Send blastDatabaseName or blastDatabasePath, not both.
         *
         *     `DATABASE_MISMATCH`: No database of this installation is what the request says; the message names the field. Correct or leave out the field, or name another database.
         *
         *     `DATABASE_TYPE_MISMATCH`: The database holds sequences of the other type. Search proteins (prot) with blastp and nucleotide sequences (nucl) with blastn.
         *
         *     `DATABASE_FILE_MISSING`: Neither an attachment nor the project package of sceneFile has the file that blastDatabasePath names. Upload the file and add its storage key to attachments, or upload it into the package; blastDatabasePath is its name, or its path there.
         *
         *     `QUERY_EMPTY`: The file of queries has no sequence. Send a FASTA file with at least one sequence.
         *
         *     `QUERY_INVALID`: A query cannot be read; the message names its record and line and says why. Mend the record. Two different sequences need two names, which are the first words after >.
         *
         *     `QUERY_TYPE_MISMATCH`: A query is a nucleotide sequence where proteins are searched, or the other way round. Use blastp for proteins and blastn for nucleotide sequences.
         *
         *     `QUERY_TOO_LARGE`: The queries, or one of them, are larger than a search takes: 64 MiB, 100,000 queries, 100,000 residues or 10 million bases each. Split the file, or search the part of the sequence that matters.
         */
        IdempotencyKeyReusedOrUnsupportedSimulatorOrCapacityLimitExceededOrInputMissingOrInputConflictOrArtifactMismatchOrSizeMismatchOrChecksumMismatchOrCostLimitExceededOrBoxMissingOrBoxConflictOrBoxSizeRequiredOrPreparationConflictOrLigandConfirmationInvalidOrDatabaseMissingOrDatabaseConflictOrDatabaseMismatchOrDatabaseTypeMismatchOrDatabaseFileMissingOrQueryEmptyOrQueryInvalidOrQueryTypeMismatchOrQueryTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_KEY_REUSED" | "UNSUPPORTED_SIMULATOR" | "CAPACITY_LIMIT_EXCEEDED" | "INPUT_MISSING" | "INPUT_CONFLICT" | "ARTIFACT_MISMATCH" | "SIZE_MISMATCH" | "CHECKSUM_MISMATCH" | "COST_LIMIT_EXCEEDED" | "BOX_MISSING" | "BOX_CONFLICT" | "BOX_SIZE_REQUIRED" | "PREPARATION_CONFLICT" | "LIGAND_CONFIRMATION_INVALID" | "DATABASE_MISSING" | "DATABASE_CONFLICT" | "DATABASE_MISMATCH" | "DATABASE_TYPE_MISMATCH" | "DATABASE_FILE_MISSING" | "QUERY_EMPTY" | "QUERY_INVALID" | "QUERY_TYPE_MISMATCH" | "QUERY_TOO_LARGE" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request.
         *
         *     `ARTIFACT_MISMATCH`: An artifact reference disagrees with the stored artifact. Send the reference as it was answered.
         *
         *     `INSPECTION_FAILED`: The receptor could not be inspected; the error says why. Choose fewer chains or another file, or report the failure.
         *
         *     `SIZE_MISMATCH`: The stored object has another size than announced. Upload the file again.
         *
         *     `CHECKSUM_MISMATCH`: The stored object has another SHA-256 than announced, or than when it was verified. Upload the file again, and name the digest of these bytes.
         *
         *     `RECEPTOR_NOT_FOUND`: The Protein Data Bank has no entry with this id, or no mmCIF file of the entry. Check the id, or upload the file.
         *
         *     `RECEPTOR_FETCH_FAILED`: The structure could not be fetched: the archive did not answer, or sent something else. Submit the request again later, or upload the file.
         *
         *     `RECEPTOR_UNREADABLE`: The file is neither PDB nor mmCIF, is cut off, has an atom in two places, or is too large. Open the file in a viewer and send it whole, or choose fewer chains.
         *
         *     `RECEPTOR_EMPTY`: Nothing of a protein or nucleic acid is left. Check the chains, the model and the assembly.
         */
        InspectReceptorUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_KEY_REUSED" | "ARTIFACT_MISMATCH" | "INSPECTION_FAILED" | "SIZE_MISMATCH" | "CHECKSUM_MISMATCH" | "RECEPTOR_NOT_FOUND" | "RECEPTOR_FETCH_FAILED" | "RECEPTOR_UNREADABLE" | "RECEPTOR_EMPTY" | (string & {});
                };
            };
        };
        /**
         * @description `MEMBER_LIMIT_REACHED`: The account has as many members and open invitations as it may have. End an invitation, or let a member leave, then repeat the request.
         *
         *     `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request.
         */
        InviteMemberUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "MEMBER_LIMIT_REACHED" | "IDEMPOTENCY_KEY_REUSED" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request.
         *
         *     `UNSUPPORTED_SIMULATOR`: The simulator is not supported here. Use a simulator that the error names.
         *
         *     `CAPACITY_LIMIT_EXCEEDED`: One instance of the job has more vCPUs or GPUs than a limit ever lets be granted at once, so the job would never begin. Ask for fewer vCPUs or GPUs per task, or ask the operator for a higher limit.
         *
         *     `COST_LIMIT_EXCEEDED`: The hold would pass a cost limit: of one job, of the account in this UTC month, or of the API key in this UTC month. What is charged and what is held counts. A new key of a member would pass what owners let the keys of a member cost. Raise the limit that the error names, or make the job smaller; a resume may also send a smaller limitCents, and a new key a smaller monthlyLimitCents.
         */
        ResumeJobUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_KEY_REUSED" | "UNSUPPORTED_SIMULATOR" | "CAPACITY_LIMIT_EXCEEDED" | "COST_LIMIT_EXCEEDED" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request.
         *
         *     `KEY_LIMIT_REACHED`: The account has as many open API keys as it may have. Revoke an API key that nobody uses, then repeat the request.
         */
        RotateApiKeyUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_KEY_REUSED" | "KEY_LIMIT_REACHED" | (string & {});
                };
            };
        };
        /** @description `SOURCE_TOO_LARGE`: The artifact is larger than the 64 MiB that a scene opens. Download it by its download address, and choose fewer models or chains for the scene. */
        SourceTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "SOURCE_TOO_LARGE" | (string & {});
                };
            };
        };
        /**
         * @description `SOURCE_TOO_LARGE`: The artifact is larger than the 64 MiB that a scene opens. Download it by its download address, and choose fewer models or chains for the scene.
         *
         *     `CHECKSUM_MISMATCH`: The stored object has another SHA-256 than announced, or than when it was verified. Upload the file again, and name the digest of these bytes.
         */
        SourceTooLargeOrChecksumMismatch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "SOURCE_TOO_LARGE" | "CHECKSUM_MISMATCH" | (string & {});
                };
            };
        };
        /**
         * @description `SOURCE_TOO_LARGE`: The artifact is larger than the 64 MiB that a scene opens. Download it by its download address, and choose fewer models or chains for the scene.
         *
         *     `EXPORT_NOT_PUBLIC`: The scene shows data that nobody outside of the account may read, so a scene file alone would open empty. Export it as .mvsx (format=mvsx), which carries its data, or share a revision that names the data and export again.
         *
         *     `CHECKSUM_MISMATCH`: The stored object has another SHA-256 than announced, or than when it was verified. Upload the file again, and name the digest of these bytes.
         */
        SourceTooLargeOrExportNotPublicOrChecksumMismatch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "SOURCE_TOO_LARGE" | "EXPORT_NOT_PUBLIC" | "CHECKSUM_MISMATCH" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request.
         *
         *     `UNKNOWN_TIER`: There is no such credit tier. Use a tier that the error names.
         */
        StartTopupUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_KEY_REUSED" | "UNKNOWN_TIER" | (string & {});
                };
            };
        };
        /**
         * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used with another request. Use a fresh key for a different request.
         *
         *     `PIPELINE_DISABLED`: Jobs of type pipeline are not enabled here. Submit a simulation and a render job instead.
         *
         *     `JOB_TYPE_UNAVAILABLE`: Jobs of this type, or of this type with this software, cannot be run here. Use another job type, or a software that the error names.
         *
         *     `UNSUPPORTED_SIMULATOR`: The simulator is not supported here. Use a simulator that the error names.
         *
         *     `CAPACITY_LIMIT_EXCEEDED`: One instance of the job has more vCPUs or GPUs than a limit ever lets be granted at once, so the job would never begin. Ask for fewer vCPUs or GPUs per task, or ask the operator for a higher limit.
         *
         *     `SCENE_FILE_REQUIRED`: This job needs sceneFile. Upload the scene file, and send its storage key as sceneFile.
         *
         *     `INPUT_MISSING`: An input that the simulator needs is missing. Send exactly one of the fields that the error names.
         *
         *     `INPUT_CONFLICT`: Fields that exclude each other were sent together. Keep one of the fields that the error names.
         *
         *     `TASK_COUNT_MISMATCH`: The taskCount does not fit what the inputs hold; the message tells both numbers. Leave taskCount out, or correct it.
         *
         *     `ARTIFACT_MISMATCH`: An artifact reference disagrees with the stored artifact. Send the reference as it was answered.
         *
         *     `SIZE_MISMATCH`: The stored object has another size than announced. Upload the file again.
         *
         *     `CHECKSUM_MISMATCH`: The stored object has another SHA-256 than announced, or than when it was verified. Upload the file again, and name the digest of these bytes.
         *
         *     `QUOTE_INVALID`: The quote is not genuine, or was made for another account. Send the quoteId of an estimate unchanged, or leave it out.
         *
         *     `QUOTE_MISMATCH`: The quote was made for a job with another price; the error names the field that differs. Submit the job as it was estimated, or estimate the job that is meant.
         *
         *     `QUOTE_EXPIRED`: The quote came later than 15 minutes after its estimate. Estimate the job again, and submit it with the new quoteId.
         *
         *     `COST_LIMIT_EXCEEDED`: The hold would pass a cost limit: of one job, of the account in this UTC month, or of the API key in this UTC month. What is charged and what is held counts. A new key of a member would pass what owners let the keys of a member cost. Raise the limit that the error names, or make the job smaller; a resume may also send a smaller limitCents, and a new key a smaller monthlyLimitCents.
         *
         *     `BOX_MISSING`: No centre of the docking box was given. Send boxCenterAngstrom, pocketLigand or pocketResidues.
         *
         *     `BOX_CONFLICT`: More than one centre of the docking box was given. Keep one of boxCenterAngstrom, pocketLigand and pocketResidues.
         *
         *     `BOX_SIZE_REQUIRED`: A docking box that is given by its centre needs a size. Send boxSizeAngstrom with boxCenterAngstrom.
         *
         *     `PREPARATION_CONFLICT`: Options of the receptor preparation exclude each other. Change the option that the error names.
         *
         *     `LIGAND_CONFIRMATION_INVALID`: The confirmation of a ligand is not genuine, has expired, or was made for another account, query or ligand; the error says which. Leave the confirmation out, or resolve the ligand again.
         *
         *     `DATABASE_MISSING`: The request names no database. Send blastDatabaseName or blastDatabasePath.
         *
         *     `DATABASE_CONFLICT`: The request names two databases. Send blastDatabaseName or blastDatabasePath, not both.
         *
         *     `DATABASE_MISMATCH`: No database of this installation is what the request says; the message names the field. Correct or leave out the field, or name another database.
         *
         *     `DATABASE_TYPE_MISMATCH`: The database holds sequences of the other type. Search proteins (prot) with blastp and nucleotide sequences (nucl) with blastn.
         *
         *     `DATABASE_FILE_MISSING`: Neither an attachment nor the project package of sceneFile has the file that blastDatabasePath names. Upload the file and add its storage key to attachments, or upload it into the package; blastDatabasePath is its name, or its path there.
         *
         *     `QUERY_EMPTY`: The file of queries has no sequence. Send a FASTA file with at least one sequence.
         *
         *     `QUERY_INVALID`: A query cannot be read; the message names its record and line and says why. Mend the record. Two different sequences need two names, which are the first words after >.
         *
         *     `QUERY_TYPE_MISMATCH`: A query is a nucleotide sequence where proteins are searched, or the other way round. Use blastp for proteins and blastn for nucleotide sequences.
         *
         *     `QUERY_TOO_LARGE`: The queries, or one of them, are larger than a search takes: 64 MiB, 100,000 queries, 100,000 residues or 10 million bases each. Split the file, or search the part of the sequence that matters.
         */
        SubmitJobUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_KEY_REUSED" | "PIPELINE_DISABLED" | "JOB_TYPE_UNAVAILABLE" | "UNSUPPORTED_SIMULATOR" | "CAPACITY_LIMIT_EXCEEDED" | "SCENE_FILE_REQUIRED" | "INPUT_MISSING" | "INPUT_CONFLICT" | "TASK_COUNT_MISMATCH" | "ARTIFACT_MISMATCH" | "SIZE_MISMATCH" | "CHECKSUM_MISMATCH" | "QUOTE_INVALID" | "QUOTE_MISMATCH" | "QUOTE_EXPIRED" | "COST_LIMIT_EXCEEDED" | "BOX_MISSING" | "BOX_CONFLICT" | "BOX_SIZE_REQUIRED" | "PREPARATION_CONFLICT" | "LIGAND_CONFIRMATION_INVALID" | "DATABASE_MISSING" | "DATABASE_CONFLICT" | "DATABASE_MISMATCH" | "DATABASE_TYPE_MISMATCH" | "DATABASE_FILE_MISSING" | "QUERY_EMPTY" | "QUERY_INVALID" | "QUERY_TYPE_MISMATCH" | "QUERY_TOO_LARGE" | (string & {});
                };
            };
        };
        /** @description `UNKNOWN_TIER`: There is no such credit tier. Use a tier that the error names. */
        UnknownTier: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "UNKNOWN_TIER" | (string & {});
                };
            };
        };
        /**
         * @description `RATE_LIMITED`: There were too many requests with this key. Wait for the seconds in Retry-After, then repeat the request.
         *
         *     `CONVERSION_LIMIT`: As many files of this account are being converted as may be at once. Wait as many seconds as Retry-After says, and repeat the request.
         */
        ConvertFileTooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "RATE_LIMITED" | "CONVERSION_LIMIT" | (string & {});
                };
            };
        };
        /**
         * @description `RATE_LIMITED`: There were too many requests with this key. Wait for the seconds in Retry-After, then repeat the request.
         *
         *     `INSPECTION_LIMIT`: As many receptors of this account are being inspected as may be at once. Repeat the request after Retry-After seconds.
         */
        InspectReceptorTooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "RATE_LIMITED" | "INSPECTION_LIMIT" | (string & {});
                };
            };
        };
        /** @description `RATE_LIMITED`: There were too many requests with this key. Wait for the seconds in Retry-After, then repeat the request. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "RATE_LIMITED" | (string & {});
                };
            };
        };
        /**
         * @description `RATE_LIMITED`: There were too many requests with this key. Wait for the seconds in Retry-After, then repeat the request.
         *
         *     `STREAM_LIMIT`: As many streams of this account are open as may be at once. Close a stream, or wait as many seconds as Retry-After says, and repeat the request.
         */
        RateLimitedOrStreamLimit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "RATE_LIMITED" | "STREAM_LIMIT" | (string & {});
                };
            };
        };
        /** @description `INTERNAL_ERROR`: The service failed; a task that fails with this code is not charged. Repeat the request, and report the X-Request-Id when the failure stays. Submit the tasks that failed so as a new job. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "INTERNAL_ERROR" | (string & {});
                };
            };
        };
        /** @description `TRANSFER_CODING_UNSUPPORTED`: The body is sent in a transfer coding that is not read here. Send the body as it is, with Content-Length or in chunks. */
        TransferCodingUnsupported: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "TRANSFER_CODING_UNSUPPORTED" | (string & {});
                };
            };
        };
        /**
         * @description `MAINTENANCE`: The service takes no new jobs at the moment; nothing was accepted. The message has the reason. Submit again after Retry-After seconds, with the same idempotency key. Jobs that were accepted go on.
         *
         *     `SERVICE_UNAVAILABLE`: A part of the service cannot answer at the moment. Repeat the request with the same idempotency key after Retry-After seconds.
         */
        MaintenanceOrServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "MAINTENANCE" | "SERVICE_UNAVAILABLE" | (string & {});
                };
            };
        };
        /**
         * @description `PAYMENTS_NOT_CONFIGURED`: No provider of payments is set up, so credits cannot be bought here. Ask the operator of the service for credits.
         *
         *     `SERVICE_UNAVAILABLE`: A part of the service cannot answer at the moment. Repeat the request with the same idempotency key after Retry-After seconds.
         */
        PaymentsNotConfiguredOrServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "PAYMENTS_NOT_CONFIGURED" | "SERVICE_UNAVAILABLE" | (string & {});
                };
            };
        };
        /** @description `SERVICE_UNAVAILABLE`: A part of the service cannot answer at the moment. Repeat the request with the same idempotency key after Retry-After seconds. */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "SERVICE_UNAVAILABLE" | (string & {});
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Id of the request; report it with a problem. */
        "X-Request-Id": string;
        /** @description Quota (q) and its window (w) in seconds. */
        "RateLimit-Policy": string;
        /** @description Requests that remain (r), and seconds until the quota is full (t). */
        RateLimit: string;
        /** @description Second (Unix time, after @) from which on what the request used is deprecated. */
        Deprecation: string;
        /** @description Time (HTTP date) at which it goes. */
        Sunset: string;
        /** @description What takes its place, with rel="successor-version". */
        Link: string;
        /** @description Seconds to wait. */
        "Retry-After": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    submitJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 32 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitJobRequest"];
            };
        };
        responses: {
            /** @description The job was accepted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmitJobResponse"];
                };
            };
            400: components["responses"]["SubmitJobBadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["InsufficientCreditsOrNoPaymentMethod"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrTestKeyLiveBillingOrAddressNotAllowedOrAccountSuspendedOrAccountClosed"];
            404: components["responses"]["InputNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["UploadIncomplete"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SubmitJobUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["MaintenanceOrServiceUnavailable"];
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description Number of items on a page, 1 to 100. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
                /** @description Only jobs in this state. */
                status?: "SUBMITTED" | "QUEUED" | "PROVISIONING" | "RUNNING" | "RECOVERING" | "PAUSED" | "FINALIZING" | "CANCELLING" | "SUCCEEDED" | "PARTIALLY_SUCCEEDED" | "FAILED" | "CANCELLED";
                /** @description Only jobs of this kind. */
                jobType?: "render" | "simulation" | "molecular" | "pipeline";
                /** @description Only jobs of this simulator. */
                simulator?: string;
                /** @description Only jobs created after this time, without one created at it. RFC 3339 with a zone, compared to the microsecond: send a time of an answer back as it was answered. */
                createdAfter?: string;
                /** @description Only jobs created before this time, without one created at it. RFC 3339 with a zone, compared to the microsecond: send a time of an answer back as it was answered. */
                createdBefore?: string;
                /** @description Only jobs whose name starts with this text. */
                jobName?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of jobs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getJobSummary: {
        parameters: {
            query?: {
                /** @description Jobs that have ended count when they ended after this time, without one that ended at it. RFC 3339 with a zone, compared to the microsecond: send a time of an answer back as it was answered. */
                finishedAfter?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Jobs by state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of jobs that have not ended. */
                        open: number;
                        /** @description Number of jobs in each state. */
                        byStatus: {
                            /** @description Number of jobs in the state SUBMITTED. */
                            SUBMITTED: number;
                            /** @description Number of jobs in the state QUEUED. */
                            QUEUED: number;
                            /** @description Number of jobs in the state PROVISIONING. */
                            PROVISIONING: number;
                            /** @description Number of jobs in the state RUNNING. */
                            RUNNING: number;
                            /** @description Number of jobs in the state RECOVERING. */
                            RECOVERING: number;
                            /** @description Number of jobs in the state PAUSED. */
                            PAUSED: number;
                            /** @description Number of jobs in the state FINALIZING. */
                            FINALIZING: number;
                            /** @description Number of jobs in the state CANCELLING. */
                            CANCELLING: number;
                            /** @description Number of jobs in the state SUCCEEDED. */
                            SUCCEEDED: number;
                            /** @description Number of jobs in the state PARTIALLY_SUCCEEDED. */
                            PARTIALLY_SUCCEEDED: number;
                            /** @description Number of jobs in the state FAILED. */
                            FAILED: number;
                            /** @description Number of jobs in the state CANCELLED. */
                            CANCELLED: number;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getJobStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the answer you have; nothing new gives 304. */
                "If-None-Match"?: string;
                /** @description wait=N: with If-None-Match, wait up to N seconds (at most 25) for something new; other preferences are ignored. */
                Prefer?: string;
            };
            path: {
                /** @description Id of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How the job stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Version of the status. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobStatusResponse"];
                };
            };
            /** @description Nothing has changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getJobBill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bill. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobBillResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTasks: {
        parameters: {
            query?: {
                /** @description Number of items on a page, 1 to 1000. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tasks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRecoveries: {
        parameters: {
            query?: {
                /** @description Number of items on a page, 1 to 1000. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the recovery ledger. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOutputs: {
        parameters: {
            query?: {
                /** @description Number of items on a page, 1 to 1000. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
                /** @description Only outputs of this kind. */
                kind?: string;
                /** @description Only outputs committed after this time, in the order of their commits: to follow a job, send the latest createdAt that you have. RFC 3339 with a zone, compared to the microsecond: send a time of an answer back as it was answered. */
                since?: string;
            };
            header?: never;
            path: {
                /** @description Id of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of outputs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutputListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readTaskLog: {
        parameters: {
            query?: never;
            header?: {
                /** @description One range of bytes: bytes=0-99, bytes=100- or bytes=-100; anything else asks for the whole text. */
                Range?: string;
            };
            path: {
                /** @description Id of the job. */
                jobId: string;
                /** @description Task index, counted from 0. */
                index: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole log. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The range of the log. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Which bytes these are. */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelJobRequest"];
            };
        };
        responses: {
            /** @description The job had ended already. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelJobResponse"];
                };
            };
            /** @description The job will be cancelled. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelJobResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrTestKeyLiveBillingOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resumeJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResumeJobRequest"];
            };
        };
        responses: {
            /** @description The job goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResumeJobResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["InsufficientCredits"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrTestKeyLiveBillingOrAddressNotAllowedOrAccountSuspendedOrAccountClosed"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ResumeJobConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ResumeJobUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getJobReceipt: {
        parameters: {
            query?: {
                /** @description Number of the execution, counted from 1; by default the last one that has a receipt, else the last one. */
                execution?: number;
            };
            header?: never;
            path: {
                /** @description Id of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedReceipt"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ReceiptNotReady"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDockingRunReceipt: {
        parameters: {
            query?: {
                /** @description Number of the execution, counted from 1; by default the last one that has a receipt, else the last one. */
                execution?: number;
            };
            header?: never;
            path: {
                /** @description Id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedReceipt"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ReceiptNotReady"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listReceiptKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptKeyList"];
                };
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    estimateJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 32 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EstimateJobRequest"];
            };
        };
        responses: {
            /** @description The price. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EstimateJobResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrAddressNotAllowedOrAccountSuspended"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["EstimateJobUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPublicPrices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The price book. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Digest of the price book, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicPricesResponse"];
                };
            };
            /** @description The client has the price book. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Digest of the price book, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPublicPricesOfVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Version of the price book; what a version says never changes. */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The price book. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Digest of the price book, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicPricesResponse"];
                };
            };
            /** @description The client has the price book. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Digest of the price book, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    estimatePublicly: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 0.015625 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublicEstimateRequest"];
            };
        };
        responses: {
            /** @description The rough price. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicEstimateResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            403: components["responses"]["CrossSiteRequest"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createUploadUrl: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadUrlRequest"];
            };
        };
        responses: {
            /** @description Where to upload the file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadUrlResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgressOrUploadAlreadyComplete"];
            410: components["responses"]["UploadExpired"];
            413: components["responses"]["PayloadTooLargeOrStorageQuotaExceeded"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUploads: {
        parameters: {
            query?: {
                /** @description Number of items on a page, 1 to 100. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
                /** @description open: multipart uploads under way; completed: verified files, the newest of each path. */
                state?: "open" | "completed";
                /** @description Only files of this project. */
                projectId?: string;
                /** @description Only files with this SHA-256, 64 hex characters. */
                sha256?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of uploads. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    initMultipartUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MultipartInitRequest"];
            };
        };
        responses: {
            /** @description The upload is open. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Path of the upload. */
                    Location?: string;
                    /** @description true when an earlier request with this key started the upload. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MultipartInitResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrAddressNotAllowedOrAccountSuspended"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["UploadAlreadyComplete"];
            410: components["responses"]["UploadExpiredOrUploadAborted"];
            413: components["responses"]["PayloadTooLargeOrStorageQuotaExceeded"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMultipartUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the upload. */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How far the upload is. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MultipartStatusResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["UploadExpiredOrUploadAborted"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    abortMultipartUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the upload. */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload is aborted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["UploadAlreadyComplete"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPartUrls: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the upload. */
                uploadId: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MultipartPartUrlsRequest"];
            };
        };
        responses: {
            /** @description Where to send the parts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MultipartPartUrlsResponse"];
                };
            };
            400: components["responses"]["CreatePartUrlsBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgressOrUploadAlreadyComplete"];
            410: components["responses"]["UploadExpiredOrUploadAborted"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    completeMultipartUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the upload. */
                uploadId: string;
            };
            cookie?: never;
        };
        /** @description At most 4 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MultipartCompleteRequest"];
            };
        };
        responses: {
            /** @description The file is stored. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MultipartCompleteResponse"];
                };
            };
            400: components["responses"]["CompleteMultipartUploadBadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["CompleteMultipartUploadConflict"];
            410: components["responses"]["UploadExpiredOrUploadAborted"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReusedOrSizeMismatchOrChecksumMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCreditBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditBalanceResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCreditTransactions: {
        parameters: {
            query?: {
                /** @description Number of items on a page, 1 to 200. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
                /** @description Only transactions of this type. */
                type?: "topup" | "topup_bonus" | "promo" | "monthly_grant" | "monthly_expiry" | "hold" | "hold_increase" | "hold_release" | "charge" | "refund" | "dispute" | "adjustment";
                /** @description Only transactions of this job. */
                jobId?: string;
                /** @description Only transactions at or after this time. RFC 3339 with a zone, compared to the microsecond: send a time of an answer back as it was answered. */
                from?: string;
                /** @description Only transactions before this time, without one at it. RFC 3339 with a zone, compared to the microsecond: send a time of an answer back as it was answered. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transactions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCreditStatements: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statements. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCreditStatement: {
        parameters: {
            query?: {
                /** @description Form of the statement; without it the header Accept decides, and JSON where that asks for neither. */
                format?: "json" | "csv";
            };
            header?: never;
            path: {
                /** @description The UTC month, as YYYY-MM. */
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description The name of the file, with CSV. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementResponse"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCreditTiers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tiers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TierListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    startTopup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TopupRequest"];
            };
        };
        responses: {
            /** @description The checkout. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupStartedResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrTestKeyLiveBillingOrAddressNotAllowedOrAccountSuspended"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["StartTopupUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["PaymentsNotConfiguredOrServiceUnavailable"];
        };
    };
    listTopups: {
        parameters: {
            query?: {
                /** @description Number of items on a page, 1 to 200. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of top-ups. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Top-ups, newest first. */
                        topups: components["schemas"]["TopupResponse"][];
                        /** @description Pass it back as cursor to get the next page; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTopup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the top-up. */
                topupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The top-up. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    registerDockingArtifact: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterArtifactRequest"];
            };
        };
        responses: {
            /** @description The artifact was registered before. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArtifactResponse"];
                };
            };
            /** @description The artifact is registered. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Path of the artifact. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArtifactResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["InputNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgressOrUploadIncomplete"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReusedOrSizeMismatchOrChecksumMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDockingArtifact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the artifact. */
                artifactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The artifact. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArtifactResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createDockingArtifactDownloadUrl: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the artifact. */
                artifactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where to download the artifact. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DownloadUrlResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["CreateDockingArtifactDownloadUrlUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resolveLigand: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveLigandRequest"];
            };
        };
        responses: {
            /** @description What the query may mean. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolveLigandResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDockingBatchResults: {
        parameters: {
            query?: {
                /** @description affinity: the lowest first; efficiency: the highest first; ligandId: by id. Ligands that are not docked follow by id. */
                sort?: "affinity" | "efficiency" | "ligandId";
                /** @description Only ligands whose best affinity is at most this, in kcal/mol. */
                affinityAtMost?: number;
                /** @description Only ligands with this status. */
                status?: "PENDING" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
                /** @description Only ligands with this warning. */
                warning?: string;
                /** @description Only ligands whose label begins with this. */
                label?: string;
                descriptor?: string[] | string;
                /** @description Only docked ligands whose molecule, as it was docked, has this pattern (SMARTS). */
                smarts?: string;
                interaction?: string[] | string;
                /** @description Number of interactions that the pose may lack; fewer than were asked for. */
                maxMissing?: number;
                /** @description Number of items on a page, 1 to 1000. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingResultListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDockingRunResults: {
        parameters: {
            query?: {
                /** @description affinity: the lowest first; efficiency: the highest first; ligandId: by id. Ligands that are not docked follow by id. */
                sort?: "affinity" | "efficiency" | "ligandId";
                /** @description Only ligands whose best affinity is at most this, in kcal/mol. */
                affinityAtMost?: number;
                /** @description Only ligands with this status. */
                status?: "PENDING" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
                /** @description Only ligands with this warning. */
                warning?: string;
                /** @description Only ligands whose label begins with this. */
                label?: string;
                descriptor?: string[] | string;
                /** @description Only docked ligands whose molecule, as it was docked, has this pattern (SMARTS). */
                smarts?: string;
                interaction?: string[] | string;
                /** @description Number of interactions that the pose may lack; fewer than were asked for. */
                maxMissing?: number;
                /** @description Number of items on a page, 1 to 1000. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the run, or of a docking job that was submitted by itself and has docked something. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingResultListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDockingBatchFailures: {
        parameters: {
            query?: {
                /** @description Only failures with this code. */
                code?: string;
                /** @description Number of items on a page, 1 to 1000. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of failures. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingFailureListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDockingResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the result. */
                resultId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingResultResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDockingPoses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the result. */
                resultId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The poses. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingPoseListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDockingPose: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the pose. */
                poseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pose. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingPoseResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDockingInteractions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the pose. */
                poseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The interactions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingInteractionListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDockingBatchScene: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scene. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One state, or several. */
                        kind: "single" | "multiple" | (string & {});
                        /** @description Version of MolViewSpec, and texts for people. */
                        metadata: Record<string, unknown>;
                        /** @description Tree of the one state; absent of several. */
                        root?: Record<string, unknown>;
                        /** @description States, the best pose first; absent of one. */
                        snapshots?: {
                            /** @description Version of MolViewSpec, and texts for people. */
                            metadata: Record<string, unknown>;
                            /** @description Tree of nodes of MolViewSpec. */
                            root: Record<string, unknown>;
                        }[];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportDockingBatchScene: {
        parameters: {
            query?: {
                /** @description mvsx is a package with the data of the scene, a README and the signed receipts; mvsj is the scene alone, where everybody may read its data. Without it a package is answered. */
                format?: "mvsx" | "mvsj";
            };
            header?: never;
            path: {
                /** @description Id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Name of the file. */
                    "Content-Disposition"?: string;
                    /** @description Digest that equal exports have in common. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                    "application/json": {
                        /** @description One state, or several. */
                        kind: "single" | "multiple" | (string & {});
                        /** @description Version of MolViewSpec, and texts for people. */
                        metadata: Record<string, unknown>;
                        /** @description Tree of the one state; absent of several. */
                        root?: Record<string, unknown>;
                        /** @description States, the best pose first; absent of one. */
                        snapshots?: {
                            /** @description Version of MolViewSpec, and texts for people. */
                            metadata: Record<string, unknown>;
                            /** @description Tree of nodes of MolViewSpec. */
                            root: Record<string, unknown>;
                        }[];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ReceiptNotReady"];
            422: components["responses"]["SourceTooLargeOrExportNotPublicOrChecksumMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDockingRunScene: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the run, or of a docking job that was submitted by itself and has docked something. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scene. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One state, or several. */
                        kind: "single" | "multiple" | (string & {});
                        /** @description Version of MolViewSpec, and texts for people. */
                        metadata: Record<string, unknown>;
                        /** @description Tree of the one state; absent of several. */
                        root?: Record<string, unknown>;
                        /** @description States, the best pose first; absent of one. */
                        snapshots?: {
                            /** @description Version of MolViewSpec, and texts for people. */
                            metadata: Record<string, unknown>;
                            /** @description Tree of nodes of MolViewSpec. */
                            root: Record<string, unknown>;
                        }[];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportDockingRunScene: {
        parameters: {
            query?: {
                /** @description mvsx is a package with the data of the scene, a README and the signed receipts; mvsj is the scene alone, where everybody may read its data. Without it a package is answered. */
                format?: "mvsx" | "mvsj";
            };
            header?: never;
            path: {
                /** @description Id of the run, or of a docking job that was submitted by itself and has docked something. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Name of the file. */
                    "Content-Disposition"?: string;
                    /** @description Digest that equal exports have in common. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                    "application/json": {
                        /** @description One state, or several. */
                        kind: "single" | "multiple" | (string & {});
                        /** @description Version of MolViewSpec, and texts for people. */
                        metadata: Record<string, unknown>;
                        /** @description Tree of the one state; absent of several. */
                        root?: Record<string, unknown>;
                        /** @description States, the best pose first; absent of one. */
                        snapshots?: {
                            /** @description Version of MolViewSpec, and texts for people. */
                            metadata: Record<string, unknown>;
                            /** @description Tree of nodes of MolViewSpec. */
                            root: Record<string, unknown>;
                        }[];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ReceiptNotReady"];
            422: components["responses"]["SourceTooLargeOrExportNotPublicOrChecksumMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDockingResultScene: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the result. */
                resultId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scene. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One state, or several. */
                        kind: "single" | "multiple" | (string & {});
                        /** @description Version of MolViewSpec, and texts for people. */
                        metadata: Record<string, unknown>;
                        /** @description Tree of the one state; absent of several. */
                        root?: Record<string, unknown>;
                        /** @description States, the best pose first; absent of one. */
                        snapshots?: {
                            /** @description Version of MolViewSpec, and texts for people. */
                            metadata: Record<string, unknown>;
                            /** @description Tree of nodes of MolViewSpec. */
                            root: Record<string, unknown>;
                        }[];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportDockingResultScene: {
        parameters: {
            query?: {
                /** @description mvsx is a package with the data of the scene, a README and the signed receipts; mvsj is the scene alone, where everybody may read its data. Without it a package is answered. */
                format?: "mvsx" | "mvsj";
            };
            header?: never;
            path: {
                /** @description Id of the result. */
                resultId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Name of the file. */
                    "Content-Disposition"?: string;
                    /** @description Digest that equal exports have in common. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                    "application/json": {
                        /** @description One state, or several. */
                        kind: "single" | "multiple" | (string & {});
                        /** @description Version of MolViewSpec, and texts for people. */
                        metadata: Record<string, unknown>;
                        /** @description Tree of the one state; absent of several. */
                        root?: Record<string, unknown>;
                        /** @description States, the best pose first; absent of one. */
                        snapshots?: {
                            /** @description Version of MolViewSpec, and texts for people. */
                            metadata: Record<string, unknown>;
                            /** @description Tree of nodes of MolViewSpec. */
                            root: Record<string, unknown>;
                        }[];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ReceiptNotReady"];
            422: components["responses"]["SourceTooLargeOrExportNotPublicOrChecksumMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDockingPoseScene: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the pose. */
                poseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scene. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One state, or several. */
                        kind: "single" | "multiple" | (string & {});
                        /** @description Version of MolViewSpec, and texts for people. */
                        metadata: Record<string, unknown>;
                        /** @description Tree of the one state; absent of several. */
                        root?: Record<string, unknown>;
                        /** @description States, the best pose first; absent of one. */
                        snapshots?: {
                            /** @description Version of MolViewSpec, and texts for people. */
                            metadata: Record<string, unknown>;
                            /** @description Tree of nodes of MolViewSpec. */
                            root: Record<string, unknown>;
                        }[];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportDockingPoseScene: {
        parameters: {
            query?: {
                /** @description mvsx is a package with the data of the scene, a README and the signed receipts; mvsj is the scene alone, where everybody may read its data. Without it a package is answered. */
                format?: "mvsx" | "mvsj";
            };
            header?: never;
            path: {
                /** @description Id of the pose. */
                poseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Name of the file. */
                    "Content-Disposition"?: string;
                    /** @description Digest that equal exports have in common. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                    "application/json": {
                        /** @description One state, or several. */
                        kind: "single" | "multiple" | (string & {});
                        /** @description Version of MolViewSpec, and texts for people. */
                        metadata: Record<string, unknown>;
                        /** @description Tree of the one state; absent of several. */
                        root?: Record<string, unknown>;
                        /** @description States, the best pose first; absent of one. */
                        snapshots?: {
                            /** @description Version of MolViewSpec, and texts for people. */
                            metadata: Record<string, unknown>;
                            /** @description Tree of nodes of MolViewSpec. */
                            root: Record<string, unknown>;
                        }[];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ReceiptNotReady"];
            422: components["responses"]["SourceTooLargeOrExportNotPublicOrChecksumMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportDockingBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DockingExportRequest"];
            };
        };
        responses: {
            /** @description The export was accepted, or was there. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Path of the export. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingExportResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgressOrNothingToExport"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportDockingRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the run, or of a docking job that was submitted by itself and has docked something. */
                runId: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DockingExportRequest"];
            };
        };
        responses: {
            /** @description The export was accepted, or was there. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Path of the export. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingExportResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgressOrNothingToExport"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDockingExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the export. */
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The export. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingExportResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    inspectReceptor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InspectReceptorRequest"];
            };
        };
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InspectionResponse"];
                };
            };
            /** @description The inspection still runs. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Path of the inspection. */
                    Location?: string;
                    /** @description Seconds to wait before asking there. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InspectionResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspendedOrAccountClosed"];
            404: components["responses"]["InputNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgressOrUploadIncomplete"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InspectReceptorUnprocessable"];
            429: components["responses"]["InspectReceptorTooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getReceptorInspection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the inspection. */
                inspectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InspectionResponse"];
                };
            };
            /** @description The inspection still runs. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Path of the inspection. */
                    Location?: string;
                    /** @description Seconds to wait before asking there. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InspectionResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["GetReceptorInspectionUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDockingExperiments: {
        parameters: {
            query?: {
                /** @description Number of items on a page, 1 to 100. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of experiments. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingExperimentListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createDockingExperiment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDockingExperimentRequest"];
            };
        };
        responses: {
            /** @description The experiment is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Path of the experiment. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingExperimentResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CreateDockingExperimentUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDockingExperiment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the experiment. */
                experimentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The experiment. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingExperimentResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDockingRuns: {
        parameters: {
            query?: {
                /** @description Number of items on a page, 1 to 100. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the experiment. */
                experimentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingRunListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createDockingRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the experiment. */
                experimentId: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateDockingRunRequest"];
            };
        };
        responses: {
            /** @description The run was accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Path of the run. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingRunResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["InsufficientCreditsOrNoPaymentMethod"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrTestKeyLiveBillingOrAddressNotAllowedOrAccountSuspendedOrAccountClosed"];
            404: components["responses"]["NotFoundOrInputNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["UploadIncomplete"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReusedOrUnsupportedSimulatorOrCapacityLimitExceededOrInputMissingOrInputConflictOrArtifactMismatchOrSizeMismatchOrChecksumMismatchOrCostLimitExceededOrBoxMissingOrBoxConflictOrBoxSizeRequiredOrPreparationConflictOrLigandConfirmationInvalidOrDatabaseMissingOrDatabaseConflictOrDatabaseMismatchOrDatabaseTypeMismatchOrDatabaseFileMissingOrQueryEmptyOrQueryInvalidOrQueryTypeMismatchOrQueryTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["MaintenanceOrServiceUnavailable"];
        };
    };
    getDockingRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingRunResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelDockingRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelJobRequest"];
            };
        };
        responses: {
            /** @description The run had ended already. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingRunResponse"];
                };
            };
            /** @description The run will be cancelled. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingRunResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrTestKeyLiveBillingOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDockingBatches: {
        parameters: {
            query?: {
                /** @description Number of items on a page, 1 to 100. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
                /** @description Only batches whose name starts with this text. */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of batches. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingBatchListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createDockingBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 32 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDockingBatchRequest"];
            };
        };
        responses: {
            /** @description The batch was accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Path of the batch. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingBatchResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["InsufficientCreditsOrNoPaymentMethod"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrTestKeyLiveBillingOrAddressNotAllowedOrAccountSuspendedOrAccountClosed"];
            404: components["responses"]["NotFoundOrInputNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["UploadIncomplete"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CreateDockingBatchUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["MaintenanceOrServiceUnavailable"];
        };
    };
    getDockingBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingBatchResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelDockingBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelJobRequest"];
            };
        };
        responses: {
            /** @description The batch had ended already. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingBatchResponse"];
                };
            };
            /** @description The batch will be cancelled. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingBatchResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrTestKeyLiveBillingOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retryFailedDocking: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryFailedRequest"];
            };
        };
        responses: {
            /** @description The run was accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Path of the run. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DockingRunResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["InsufficientCreditsOrNoPaymentMethod"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrTestKeyLiveBillingOrAddressNotAllowedOrAccountSuspendedOrAccountClosed"];
            404: components["responses"]["NotFoundOrInputNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["RetryFailedDockingConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReusedOrUnsupportedSimulatorOrCapacityLimitExceededOrInputMissingOrInputConflictOrArtifactMismatchOrSizeMismatchOrChecksumMismatchOrCostLimitExceededOrBoxMissingOrBoxConflictOrBoxSizeRequiredOrPreparationConflictOrLigandConfirmationInvalidOrDatabaseMissingOrDatabaseConflictOrDatabaseMismatchOrDatabaseTypeMismatchOrDatabaseFileMissingOrQueryEmptyOrQueryInvalidOrQueryTypeMismatchOrQueryTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["MaintenanceOrServiceUnavailable"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description Number of items on a page, 1 to 100. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of projects. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 6 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProjectRequest"];
            };
        };
        responses: {
            /** @description The project with its first revision. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description true when an earlier request with this key made the change. */
                    "Idempotency-Replayed"?: string;
                    /** @description Path of the project. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            400: components["responses"]["ValidationErrorOrIdempotencyKeyRequired"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReusedOrSceneInvalidOrSceneSourceRefusedOrContentHoldsSecret"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the answer you have; nothing new gives 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Digest of the answer, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectContentResponse"];
                };
            };
            /** @description The client has the project as it is. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Digest of the answer, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    saveProject: {
        parameters: {
            query?: {
                /** @description Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed. Required here or in the body, where it may stand as well; both must be equal. */
                expectedVersion?: number;
            };
            header: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key": string;
            };
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
            cookie?: never;
        };
        /** @description At most 6 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveProjectRequest"];
            };
        };
        responses: {
            /** @description The project after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description true when an earlier request with this key made the change. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            400: components["responses"]["ValidationErrorOrIdempotencyKeyRequired"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["VersionConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReusedOrSceneInvalidOrSceneSourceRefusedOrContentHoldsSecret"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteProject: {
        parameters: {
            query?: {
                /** @description Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed. Required here or in the body, where it may stand as well; both must be equal. */
                expectedVersion?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed. Required here or in the query, where it may stand as well; both must be equal. */
                    expectedVersion?: number;
                };
            };
        };
        responses: {
            /** @description The project is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["VersionConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProjectRevisions: {
        parameters: {
            query?: {
                /** @description Number of items on a page, 1 to 100. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of revisions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisionListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProjectRevision: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the answer you have; nothing new gives 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the project. */
                projectId: string;
                /** @description Version number of the revision. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revision. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Digest of the answer, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisionResponse"];
                };
            };
            /** @description The client has the revision. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Digest of the answer, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    restoreProjectRevision: {
        parameters: {
            query?: {
                /** @description Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed. Required here or in the body, where it may stand as well; both must be equal. */
                expectedVersion?: number;
            };
            header: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key": string;
            };
            path: {
                /** @description Id of the project. */
                projectId: string;
                /** @description Version number of the revision. */
                version: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RestoreRevisionRequest"];
            };
        };
        responses: {
            /** @description The project after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description true when an earlier request with this key made the change. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            400: components["responses"]["ValidationErrorOrIdempotencyKeyRequired"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["VersionConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    shareProject: {
        parameters: {
            query?: {
                /** @description Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed. Required here or in the body, where it may stand as well; both must be equal. */
                expectedVersion?: number;
            };
            header: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key": string;
            };
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
            cookie?: never;
        };
        /** @description At most 6 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ShareProjectRequest"];
            };
        };
        responses: {
            /** @description The project with its newest share. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description true when an earlier request with this key made the change. */
                    "Idempotency-Replayed"?: string;
                    /** @description Path of the project. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            400: components["responses"]["ValidationErrorOrIdempotencyKeyRequired"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["VersionConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReusedOrSceneInvalidOrSceneSourceRefusedOrContentHoldsSecret"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeProjectShares: {
        parameters: {
            query?: {
                /** @description Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed. Required here or in the body, where it may stand as well; both must be equal. */
                expectedVersion?: number;
                /** @description The one share to end; without it all shares of the project end. */
                shareId?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed. Required here or in the query, where it may stand as well; both must be equal. */
                    expectedVersion?: number;
                };
            };
        };
        responses: {
            /** @description The project with the shares that are left. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["VersionConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    citeProjectRevision: {
        parameters: {
            query?: {
                /** @description Form of the citation; without it the Accept header decides, else it is a sentence. */
                format?: "text" | "bibtex" | "csl-json";
            };
            header?: never;
            path: {
                /** @description Id of the project. */
                projectId: string;
                /** @description Version number of the revision. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The citation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/x-bibtex": string;
                    "application/vnd.citationstyles.csl+json": {
                        /** @description Key of the citation. */
                        id: string;
                        /**
                         * @description What is cited.
                         * @enum {string}
                         */
                        type: "dataset";
                        /** @description Name of the project. */
                        title: string;
                        /** @description Version number of the revision, in text. */
                        version: string;
                        /** @description Name of the publisher. */
                        publisher: string;
                        /** @description When the revision was saved. */
                        issued: {
                            /** @description Year, month and day of the save. */
                            "date-parts": number[][];
                        };
                        /** @description Address of the revision. */
                        URL: string;
                        /** @description Digest of the content. */
                        note: string;
                    }[];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProjectRevisionReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                projectId: string;
                /** @description Version number of the revision. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedRevisionReceipt"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ReceiptNotReady"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportProjectRevision: {
        parameters: {
            query?: {
                /** @description mvsx is a package with the data of the scene, a README and the signed receipts; mvsj is the scene alone, where everybody may read its data. Without it a package is answered. */
                format?: "mvsx" | "mvsj";
            };
            header?: never;
            path: {
                /** @description Id of the project. */
                projectId: string;
                /** @description Version number of the revision. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Name of the file. */
                    "Content-Disposition"?: string;
                    /** @description Digest that equal exports have in common. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                    "application/json": {
                        /** @description One state, or several. */
                        kind: "single" | "multiple" | (string & {});
                        /** @description Version of MolViewSpec, and texts for people. */
                        metadata: Record<string, unknown>;
                        /** @description Tree of the one state; absent of several. */
                        root?: Record<string, unknown>;
                        /** @description States, the best pose first; absent of one. */
                        snapshots?: {
                            /** @description Version of MolViewSpec, and texts for people. */
                            metadata: Record<string, unknown>;
                            /** @description Tree of nodes of MolViewSpec. */
                            root: Record<string, unknown>;
                        }[];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ReceiptNotReady"];
            422: components["responses"]["ExportProjectRevisionUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSharedRevision: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the answer you have; nothing new gives 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Token of the share. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revision. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Digest of the answer, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedRevisionResponse"];
                };
            };
            /** @description The client has the revision. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Digest of the answer, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["ShareRevoked"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProjectsOfBefore: {
        parameters: {
            query?: {
                /** @description Number of items on a page, 1 to 100. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of projects. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createProjectOfBefore: {
        parameters: {
            query?: never;
            header: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 6 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProjectRequest"];
            };
        };
        responses: {
            /** @description The project with its first revision. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    /** @description true when an earlier request with this key made the change. */
                    "Idempotency-Replayed"?: string;
                    /** @description Path of the project. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            400: components["responses"]["ValidationErrorOrIdempotencyKeyRequired"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReusedOrSceneInvalidOrSceneSourceRefusedOrContentHoldsSecret"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProjectOfBefore: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the answer you have; nothing new gives 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    /** @description Digest of the answer, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectContentResponse"];
                };
            };
            /** @description The client has the project as it is. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    /** @description Digest of the answer, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    saveProjectOfBefore: {
        parameters: {
            query?: {
                /** @description Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed. Required here or in the body, where it may stand as well; both must be equal. */
                expectedVersion?: number;
            };
            header: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key": string;
            };
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
            cookie?: never;
        };
        /** @description At most 6 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveProjectRequest"];
            };
        };
        responses: {
            /** @description The project after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    /** @description true when an earlier request with this key made the change. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            400: components["responses"]["ValidationErrorOrIdempotencyKeyRequired"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["VersionConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReusedOrSceneInvalidOrSceneSourceRefusedOrContentHoldsSecret"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteProjectOfBefore: {
        parameters: {
            query?: {
                /** @description Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed. Required here or in the body, where it may stand as well; both must be equal. */
                expectedVersion?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed. Required here or in the query, where it may stand as well; both must be equal. */
                    expectedVersion?: number;
                };
            };
        };
        responses: {
            /** @description The project is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["VersionConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProjectRevisionsOfBefore: {
        parameters: {
            query?: {
                /** @description Number of items on a page, 1 to 100. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of revisions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisionListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProjectRevisionOfBefore: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the answer you have; nothing new gives 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the project. */
                projectId: string;
                /** @description Version number of the revision. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revision. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    /** @description Digest of the answer, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisionResponse"];
                };
            };
            /** @description The client has the revision. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    /** @description Digest of the answer, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    restoreProjectRevisionOfBefore: {
        parameters: {
            query?: {
                /** @description Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed. Required here or in the body, where it may stand as well; both must be equal. */
                expectedVersion?: number;
            };
            header: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key": string;
            };
            path: {
                /** @description Id of the project. */
                projectId: string;
                /** @description Version number of the revision. */
                version: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RestoreRevisionRequest"];
            };
        };
        responses: {
            /** @description The project after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    /** @description true when an earlier request with this key made the change. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            400: components["responses"]["ValidationErrorOrIdempotencyKeyRequired"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["VersionConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    shareProjectOfBefore: {
        parameters: {
            query?: {
                /** @description Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed. Required here or in the body, where it may stand as well; both must be equal. */
                expectedVersion?: number;
            };
            header: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key": string;
            };
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
            cookie?: never;
        };
        /** @description At most 6 MiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ShareProjectRequest"];
            };
        };
        responses: {
            /** @description The project with its newest share. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    /** @description true when an earlier request with this key made the change. */
                    "Idempotency-Replayed"?: string;
                    /** @description Path of the project. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            400: components["responses"]["ValidationErrorOrIdempotencyKeyRequired"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["VersionConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReusedOrSceneInvalidOrSceneSourceRefusedOrContentHoldsSecret"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeProjectSharesOfBefore: {
        parameters: {
            query?: {
                /** @description Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed. Required here or in the body, where it may stand as well; both must be equal. */
                expectedVersion?: number;
                /** @description The one share to end; without it all shares of the project end. */
                shareId?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed. Required here or in the query, where it may stand as well; both must be equal. */
                    expectedVersion?: number;
                };
            };
        };
        responses: {
            /** @description The project with the shares that are left. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["VersionConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readMolecularAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description One range of bytes: bytes=0-99, bytes=100- or bytes=-100; anything else asks for the whole text. */
                Range?: string;
                /** @description ETag of the answer you have; nothing new gives 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the artifact. */
                artifactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description SHA-256 of the file, for If-None-Match. */
                    ETag?: string;
                    /** @description bytes, because ranges are answered. */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The range of the file. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description SHA-256 of the file, for If-None-Match. */
                    ETag?: string;
                    /** @description bytes, because ranges are answered. */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes these are. */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The client has the file. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description SHA-256 of the file, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["SourceLost"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["SourceTooLargeOrChecksumMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readSharedMolecularAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description One range of bytes: bytes=0-99, bytes=100- or bytes=-100; anything else asks for the whole text. */
                Range?: string;
                /** @description ETag of the answer you have; nothing new gives 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Token of the share. */
                token: string;
                /** @description Id of the artifact. */
                artifactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description SHA-256 of the file, for If-None-Match. */
                    ETag?: string;
                    /** @description bytes, because ranges are answered. */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The range of the file. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description SHA-256 of the file, for If-None-Match. */
                    ETag?: string;
                    /** @description bytes, because ranges are answered. */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes these are. */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The client has the file. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description SHA-256 of the file, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["SourceLostOrShareRevoked"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["SourceTooLargeOrChecksumMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readStructure: {
        parameters: {
            query?: {
                /** @description SHA-256 of the revision, as an answer told it in its tag; without it the newest one is read, and fetched where it is not here. */
                sha256?: string;
            };
            header?: {
                /** @description One range of bytes: bytes=0-99, bytes=100- or bytes=-100; anything else asks for the whole text. */
                Range?: string;
                /** @description ETag of the answer you have; nothing new gives 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description PDB id of the entry: a digit and three letters or digits, in small or capital letters. */
                pdbId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description SHA-256 of the file, for If-None-Match. */
                    ETag?: string;
                    /** @description bytes, because ranges are answered. */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The entry is being fetched; ask again. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Seconds until the next question makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description PDB id of the entry, in small letters. */
                        pdbId: string;
                        /**
                         * @description The entry is being fetched from the archive.
                         * @enum {string}
                         */
                        status: "FETCHING";
                        /** @description The next step, in words. */
                        message: string;
                    };
                };
            };
            /** @description The range of the file. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description SHA-256 of the file, for If-None-Match. */
                    ETag?: string;
                    /** @description bytes, because ranges are answered. */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes these are. */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The client has the file. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description SHA-256 of the file, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["SourceLost"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["SourceTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readSharedStructure: {
        parameters: {
            query?: {
                /** @description SHA-256 of the revision, as the scene names it; without it nothing is found. */
                sha256?: string;
            };
            header?: {
                /** @description One range of bytes: bytes=0-99, bytes=100- or bytes=-100; anything else asks for the whole text. */
                Range?: string;
                /** @description ETag of the answer you have; nothing new gives 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Token of the share. */
                token: string;
                /** @description PDB id of the entry: a digit and three letters or digits, in small or capital letters. */
                pdbId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description SHA-256 of the file, for If-None-Match. */
                    ETag?: string;
                    /** @description bytes, because ranges are answered. */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The range of the file. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description SHA-256 of the file, for If-None-Match. */
                    ETag?: string;
                    /** @description bytes, because ranges are answered. */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes these are. */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The client has the file. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description SHA-256 of the file, for If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["SourceLostOrShareRevoked"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["SourceTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMolecularAssetFacts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the artifact. */
                artifactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The facts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of models. */
                        models: number;
                        /** @description Ids of the biological assemblies. */
                        assemblies: string[];
                        /** @description Number of atoms of the first model. */
                        atoms: number;
                        /** @description Number of residues of polymers and sugars. */
                        residues: number;
                        /** @description Number of waters. */
                        waters: number;
                        /** @description Chains of polymers and sugars, in the order of the file. */
                        chains: {
                            /** @description Author's name of the chain. */
                            id: string;
                            /** @description Number of residues of the chain. */
                            residues: number;
                            /** @description Author's number of the first residue. */
                            first: number;
                            /** @description Author's number of the last residue. */
                            last: number;
                        }[];
                        /** @description Ligands and ions, at most a thousand. */
                        ligands: {
                            /** @description Component id. */
                            componentId: string;
                            /** @description Author's name of the chain. */
                            chain: string;
                            /** @description Author's number of the residue. */
                            residue: number;
                            /** @description Insertion code; empty without one. */
                            insertionCode: string;
                            /** @description Number of atoms. */
                            atoms: number;
                        }[];
                        /** @description Number of ligands and ions. */
                        ligandCount: number;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["SourceLost"];
            422: components["responses"]["GetMolecularAssetFactsUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getStructureFacts: {
        parameters: {
            query: {
                /** @description SHA-256 of the revision, as an answer told it in its tag. */
                sha256: string;
            };
            header?: never;
            path: {
                /** @description PDB id of the entry: a digit and three letters or digits, in small or capital letters. */
                pdbId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The facts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of models. */
                        models: number;
                        /** @description Ids of the biological assemblies. */
                        assemblies: string[];
                        /** @description Number of atoms of the first model. */
                        atoms: number;
                        /** @description Number of residues of polymers and sugars. */
                        residues: number;
                        /** @description Number of waters. */
                        waters: number;
                        /** @description Chains of polymers and sugars, in the order of the file. */
                        chains: {
                            /** @description Author's name of the chain. */
                            id: string;
                            /** @description Number of residues of the chain. */
                            residues: number;
                            /** @description Author's number of the first residue. */
                            first: number;
                            /** @description Author's number of the last residue. */
                            last: number;
                        }[];
                        /** @description Ligands and ions, at most a thousand. */
                        ligands: {
                            /** @description Component id. */
                            componentId: string;
                            /** @description Author's name of the chain. */
                            chain: string;
                            /** @description Author's number of the residue. */
                            residue: number;
                            /** @description Insertion code; empty without one. */
                            insertionCode: string;
                            /** @description Number of atoms. */
                            atoms: number;
                        }[];
                        /** @description Number of ligands and ions. */
                        ligandCount: number;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["SourceLost"];
            422: components["responses"]["GetStructureFactsUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readEvents: {
        parameters: {
            query?: {
                /** @description Number of items on a page, 1 to 200. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
                types?: ("job.submitted" | "job.queued" | "job.provisioning" | "job.running" | "job.recovering" | "job.paused" | "job.finalizing" | "job.cancelling" | "job.succeeded" | "job.partially_succeeded" | "job.failed" | "job.cancelled" | "job.progress" | "job.recovered" | "upload.completed" | "upload.failed" | "upload.expired" | "inspection.made" | "docking.export.made" | "docking.export.failed" | "topup.paid" | "topup.failed" | "topup.expired" | "credits.low" | "credits.limit_reached" | "project.saved" | "project.shared" | "project.share_revoked" | "project.deleted" | "account.active" | "account.suspended" | "account.closed" | "key.created" | "key.rotated" | "key.revoked" | "member.invited" | "member.joined" | "member.changed" | "member.left")[] | ("job.submitted" | "job.queued" | "job.provisioning" | "job.running" | "job.recovering" | "job.paused" | "job.finalizing" | "job.cancelling" | "job.succeeded" | "job.partially_succeeded" | "job.failed" | "job.cancelled" | "job.progress" | "job.recovered" | "upload.completed" | "upload.failed" | "upload.expired" | "inspection.made" | "docking.export.made" | "docking.export.failed" | "topup.paid" | "topup.failed" | "topup.expired" | "credits.low" | "credits.limit_reached" | "project.saved" | "project.shared" | "project.share_revoked" | "project.deleted" | "account.active" | "account.suspended" | "account.closed" | "key.created" | "key.rotated" | "key.revoked" | "member.invited" | "member.joined" | "member.changed" | "member.left");
                /** @description Only events of the thing with this id, such as a job. */
                subject?: string;
                /** @description true answers no events and the newest cursor, whatever cursor is sent: begin here to follow from now on. */
                latest?: boolean;
            };
            header?: {
                /** @description wait=N: wait up to N seconds (at most 25) for an event where there is none; other preferences are ignored. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrSessionRequiredOrAddressNotAllowedOrAccountSuspended"];
            410: components["responses"]["CursorExpired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description Id of the last part that was read, or a nextCursor of GET /events: the stream goes on behind it. Without it the stream begins now. The header Last-Event-ID comes first. */
                after?: string;
                types?: ("job.submitted" | "job.queued" | "job.provisioning" | "job.running" | "job.recovering" | "job.paused" | "job.finalizing" | "job.cancelling" | "job.succeeded" | "job.partially_succeeded" | "job.failed" | "job.cancelled" | "job.progress" | "job.recovered" | "upload.completed" | "upload.failed" | "upload.expired" | "inspection.made" | "docking.export.made" | "docking.export.failed" | "topup.paid" | "topup.failed" | "topup.expired" | "credits.low" | "credits.limit_reached" | "project.saved" | "project.shared" | "project.share_revoked" | "project.deleted" | "account.active" | "account.suspended" | "account.closed" | "key.created" | "key.rotated" | "key.revoked" | "member.invited" | "member.joined" | "member.changed" | "member.left")[] | ("job.submitted" | "job.queued" | "job.provisioning" | "job.running" | "job.recovering" | "job.paused" | "job.finalizing" | "job.cancelling" | "job.succeeded" | "job.partially_succeeded" | "job.failed" | "job.cancelled" | "job.progress" | "job.recovered" | "upload.completed" | "upload.failed" | "upload.expired" | "inspection.made" | "docking.export.made" | "docking.export.failed" | "topup.paid" | "topup.failed" | "topup.expired" | "credits.low" | "credits.limit_reached" | "project.saved" | "project.shared" | "project.share_revoked" | "project.deleted" | "account.active" | "account.suspended" | "account.closed" | "key.created" | "key.rotated" | "key.revoked" | "member.invited" | "member.joined" | "member.changed" | "member.left");
                /** @description Only events of the thing with this id, such as a job. */
                subject?: string;
            };
            header?: {
                /** @description Id of the last part that was read; browsers send it by themselves. One that is refused is told in a part with the name reset. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrSessionRequiredOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimitedOrStreamLimit"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamJobEvents: {
        parameters: {
            query?: {
                /** @description Id of the last part that was read, or a nextCursor of GET /events: the stream goes on behind it. Without it the stream begins now. The header Last-Event-ID comes first. */
                after?: string;
            };
            header?: {
                /** @description Id of the last part that was read; browsers send it by themselves. One that is refused is told in a part with the name reset. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description Id of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedOrStreamLimit"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    convertFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConvertRequest"];
            };
        };
        responses: {
            /** @description The converted file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversionResponse"];
                };
            };
            /** @description The conversion still runs. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Path of the conversion. */
                    Location?: string;
                    /** @description Seconds to wait before asking there. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversionResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrInsufficientScopeOrAddressNotAllowedOrAccountSuspendedOrAccountClosed"];
            404: components["responses"]["InputNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConvertFileConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ConvertFileUnprocessable"];
            429: components["responses"]["ConvertFileTooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getConversion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the conversion. */
                conversionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The converted file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversionResponse"];
                };
            };
            /** @description The conversion still runs. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Path of the conversion. */
                    Location?: string;
                    /** @description Seconds to wait before asking there. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversionResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["GetConversionUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSimulators: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The simulators. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulatorListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUpRequest"];
            };
        };
        responses: {
            /** @description The same for every address. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailSentResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            403: components["responses"]["CrossSiteRequest"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    verifyAddress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The code of the mail. */
                    code: string;
                    /** @description The password of the sign-up, or the one that was set since. */
                    password: string;
                };
            };
        };
        responses: {
            /** @description The address is confirmed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The address that the code has proved. */
                        email: string;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["SignInRefused"];
            403: components["responses"]["CrossSiteRequest"];
            408: components["responses"]["RequestTimeout"];
            410: components["responses"]["CodeExpired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInRequest"];
            };
        };
        responses: {
            /** @description Signed in. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description The session cookie: for this host alone, over HTTPS, not for scripts. */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["SignInUnauthorized"];
            403: components["responses"]["TotpRefusedOrCrossSiteRequestOrAccountSuspendedOrAccountClosed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description The session cookie: for this host alone, over HTTPS, not for scripts. */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSession"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    forgotPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description E-mail address, compared without case. */
                    email: string;
                };
            };
        };
        responses: {
            /** @description The same for every address. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailSentResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            403: components["responses"]["CrossSiteRequest"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationRequest"];
            };
        };
        responses: {
            /** @description The password is set, and every session has ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            403: components["responses"]["CrossSiteRequest"];
            408: components["responses"]["RequestTimeout"];
            410: components["responses"]["CodeExpired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your open sessions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SessionRequiredOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description The session cookie: for this host alone, over HTTPS, not for scripts. */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of sessions that have ended. */
                        ended: number;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the session. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSession"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    startOidc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Go on at the provider. */
            303: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Where the provider signs people in. */
                    Location?: string;
                    /** @description The cookie of this sign-in. */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            403: components["responses"]["OidcRefused"];
            404: components["responses"]["OidcNotConfigured"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    oidcCallback: {
        parameters: {
            query: {
                /** @description The value that the sign-in began with. */
                state: string;
                /** @description The code of the provider; without one the provider has refused. */
                code?: string;
                /** @description The issuer, where the provider names itself. */
                iss?: string;
                /** @description Why the provider has refused, in the words of the protocol. */
                error?: string;
                /** @description Sent by some providers; not read. */
                error_description?: string;
                /** @description Sent by some providers; not read. */
                error_uri?: string;
                /** @description Sent by some providers; not read. */
                session_state?: string;
                /** @description Sent by some providers; not read. */
                scope?: string;
                /** @description Sent by some providers; not read. */
                authuser?: string;
                /** @description Sent by some providers; not read. */
                hd?: string;
                /** @description Sent by some providers; not read. */
                prompt?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed in. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description The session cookie: for this host alone, over HTTPS, not for scripts. */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["TotpRequired"];
            403: components["responses"]["OidcCallbackForbidden"];
            404: components["responses"]["OidcNotConfigured"];
            410: components["responses"]["OidcExpired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    finishOidc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The present code of the authenticator, or a recovery code. */
                    totp: string;
                };
            };
        };
        responses: {
            /** @description Signed in. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description The session cookie: for this host alone, over HTTPS, not for scripts. */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            403: components["responses"]["TotpRefusedOrCrossSiteRequestOrAccountSuspendedOrAccountClosed"];
            404: components["responses"]["OidcNotConfigured"];
            408: components["responses"]["RequestTimeout"];
            410: components["responses"]["OidcExpired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How the second factor stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpState"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SessionRequiredOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    beginSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret, shown this once. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The secret in base32, for authenticators without a camera. */
                        secret: string;
                        /** @description The same as an otpauth address, which is shown as a QR code. */
                        uri: string;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrAccountSuspended"];
            409: components["responses"]["TotpEnabled"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TotpCodeRequest"];
            };
        };
        responses: {
            /** @description The recovery codes, shown this once. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Codes that are each taken once in the place of a code, shown this once. */
                        recoveryCodes: string[];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["TotpRefusedOrCrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrAccountSuspended"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["TotpEnabled"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    disableSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TotpCodeRequest"];
            };
        };
        responses: {
            /** @description There is no second factor any more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpState"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["TotpRefusedOrCrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrAccountSuspended"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    approveCli: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CliApprovalRequest"];
            };
        };
        responses: {
            /** @description The code, shown this once. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CliApproval"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrAccountSuspended"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    beginCliSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CliSessionRequest"];
            };
        };
        responses: {
            /** @description Signed in. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description The session cookie, which the command line sends with its calls. */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            403: components["responses"]["CrossSiteRequestOrAccountSuspendedOrAccountClosed"];
            408: components["responses"]["RequestTimeout"];
            410: components["responses"]["CodeExpired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The people of the account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SessionRequiredOrSignInAgainOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Open invitations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteRequest"];
            };
        };
        responses: {
            /** @description The invitation; its code is on its way. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspendedOrAccountClosed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["InviteMemberConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InviteMemberUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the invitation. */
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation as it stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspendedOrAccountClosed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the person. */
                userId: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description owner decides on keys, members, billing and settings; member works and has keys of their own.
                     * @enum {string}
                     */
                    role: "owner" | "member";
                };
            };
        };
        responses: {
            /** @description The member with the new role. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspendedOrAccountClosed"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ChangeMemberConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the person. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person belongs to the account no more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeftMember"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspendedOrAccountClosed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LastOwner"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationRequest"];
            };
        };
        responses: {
            /** @description You have joined the account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinedAccount"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["SignInRefused"];
            403: components["responses"]["CrossSiteRequestOrAccountSuspendedOrAccountClosed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AcceptInvitationConflict"];
            410: components["responses"]["CodeExpired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Number of items on a page, 1 to 100. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SessionRequiredOrSignInAgainOrAddressNotAllowedOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description The key, shown this once. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKey"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrAccountSuspendedOrAccountClosed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["KeyAlreadyIssued"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CreateApiKeyUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeThisApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key has ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedApiKey"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["RevokeThisApiKeyForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the key. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key has ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedApiKey"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the key. */
                keyId: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description How long the old key goes on working beside the new one, in seconds; at most a week. */
                    overlapSeconds: number;
                };
            };
        };
        responses: {
            /** @description The new key, shown this once. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedApiKey"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrAccountSuspendedOrAccountClosed"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["RotateApiKeyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["RotateApiKeyUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listLicenseServers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The licence servers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseServerListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addLicenseServer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LicenseServerRequest"];
            };
        };
        responses: {
            /** @description The licence server. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description Path of the licence server. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseServer"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspendedOrAccountClosed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["AddLicenseServerUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLicenseServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the licence server. */
                licenseServerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The licence server. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseServer"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeLicenseServer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the licence server. */
                licenseServerId: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LicenseServerRequest"];
            };
        };
        responses: {
            /** @description The licence server as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseServer"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspendedOrAccountClosed"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ChangeLicenseServerUnprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeLicenseServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the licence server. */
                licenseServerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The licence server is removed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspendedOrAccountClosed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testLicenseServer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the licence server. */
                licenseServerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it went. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseServerTestResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBillingSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingSettings"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setBillingSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BillingSettingsRequest"];
            };
        };
        responses: {
            /** @description The limits as they are now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingSettings"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["NoPaymentMethod"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspended"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnknownTier"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getNotificationSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mails. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationSettings"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspended"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setNotificationSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationSettingsRequest"];
            };
        };
        responses: {
            /** @description The mails as they are now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationSettings"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspended"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    subscribe: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscribeRequest"];
            };
        };
        responses: {
            /** @description The checkout. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostedPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspended"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["PaymentsNotConfiguredOrServiceUnavailable"];
        };
    };
    openBillingPortal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: 8 to 255 printable ASCII characters, bare or as a quoted string in which \ stands before a quote and a backslash, fresh for each new request. Keys in the body must be the same. The key of a request that was refused may be sent again, with the same request or another. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PortalRequest"];
            };
        };
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostedPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSiteRequestOrSessionRequiredOrSignInAgainOrAddressNotAllowedOrOwnerRequiredOrAccountSuspended"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["TransferCodingUnsupported"];
            503: components["responses"]["PaymentsNotConfiguredOrServiceUnavailable"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description Number of items on a page, 1 to 200. */
                limit?: number;
                /** @description nextCursor of the page before, unchanged; any other text is refused. */
                cursor?: string;
                /** @description Only changes of this kind. */
                action?: "account.created" | "account.opened" | "account.state" | "credits.adjusted" | "credits.granted" | "credits.refunded" | "database.added" | "database.removed" | "fx-rate.accepted" | "job.pause-requested" | "job.resume-requested" | "job.cancel-requested" | "job.ended" | "key.created" | "key.rotated" | "key.revoked" | "license-server.added" | "license-server.changed" | "license-server.removed" | "limits.changed" | "maintenance.on" | "maintenance.off" | "notifications.changed" | "plan.changed" | "settings.rotated" | "user.verified" | "password.reset" | "session.started" | "session.refused" | "session.ended" | "identity.joined" | "member.invited" | "member.joined" | "member.changed" | "member.left" | "invitation.ended" | "totp.enabled" | "totp.disabled" | "totp.reset" | "recovery-code.used";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ListAuditLogForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "event.job.submitted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "job.submitted";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        jobId: string;
                        /** @description State that the job has entered. */
                        status: components["schemas"]["JobState"];
                        /**
                         * Format: uuid
                         * @description Run that the job belongs to, where it belongs to one.
                         */
                        runId?: string;
                        /**
                         * Format: uuid
                         * @description Batch that the run belongs to, where it belongs to one.
                         */
                        batchId?: string;
                        /**
                         * Format: uuid
                         * @description Experiment that the run belongs to, where it belongs to one.
                         */
                        experimentId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.job.queued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "job.queued";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        jobId: string;
                        /** @description State that the job has entered. */
                        status: components["schemas"]["JobState"];
                        /**
                         * Format: uuid
                         * @description Run that the job belongs to, where it belongs to one.
                         */
                        runId?: string;
                        /**
                         * Format: uuid
                         * @description Batch that the run belongs to, where it belongs to one.
                         */
                        batchId?: string;
                        /**
                         * Format: uuid
                         * @description Experiment that the run belongs to, where it belongs to one.
                         */
                        experimentId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.job.provisioning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "job.provisioning";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        jobId: string;
                        /** @description State that the job has entered. */
                        status: components["schemas"]["JobState"];
                        /**
                         * Format: uuid
                         * @description Run that the job belongs to, where it belongs to one.
                         */
                        runId?: string;
                        /**
                         * Format: uuid
                         * @description Batch that the run belongs to, where it belongs to one.
                         */
                        batchId?: string;
                        /**
                         * Format: uuid
                         * @description Experiment that the run belongs to, where it belongs to one.
                         */
                        experimentId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.job.running": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "job.running";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        jobId: string;
                        /** @description State that the job has entered. */
                        status: components["schemas"]["JobState"];
                        /**
                         * Format: uuid
                         * @description Run that the job belongs to, where it belongs to one.
                         */
                        runId?: string;
                        /**
                         * Format: uuid
                         * @description Batch that the run belongs to, where it belongs to one.
                         */
                        batchId?: string;
                        /**
                         * Format: uuid
                         * @description Experiment that the run belongs to, where it belongs to one.
                         */
                        experimentId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.job.recovering": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "job.recovering";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        jobId: string;
                        /** @description State that the job has entered. */
                        status: components["schemas"]["JobState"];
                        /**
                         * Format: uuid
                         * @description Run that the job belongs to, where it belongs to one.
                         */
                        runId?: string;
                        /**
                         * Format: uuid
                         * @description Batch that the run belongs to, where it belongs to one.
                         */
                        batchId?: string;
                        /**
                         * Format: uuid
                         * @description Experiment that the run belongs to, where it belongs to one.
                         */
                        experimentId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.job.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "job.paused";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        jobId: string;
                        /** @description State that the job has entered. */
                        status: components["schemas"]["JobState"];
                        /**
                         * Format: uuid
                         * @description Run that the job belongs to, where it belongs to one.
                         */
                        runId?: string;
                        /**
                         * Format: uuid
                         * @description Batch that the run belongs to, where it belongs to one.
                         */
                        batchId?: string;
                        /**
                         * Format: uuid
                         * @description Experiment that the run belongs to, where it belongs to one.
                         */
                        experimentId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.job.finalizing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "job.finalizing";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        jobId: string;
                        /** @description State that the job has entered. */
                        status: components["schemas"]["JobState"];
                        /**
                         * Format: uuid
                         * @description Run that the job belongs to, where it belongs to one.
                         */
                        runId?: string;
                        /**
                         * Format: uuid
                         * @description Batch that the run belongs to, where it belongs to one.
                         */
                        batchId?: string;
                        /**
                         * Format: uuid
                         * @description Experiment that the run belongs to, where it belongs to one.
                         */
                        experimentId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.job.cancelling": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "job.cancelling";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        jobId: string;
                        /** @description State that the job has entered. */
                        status: components["schemas"]["JobState"];
                        /**
                         * Format: uuid
                         * @description Run that the job belongs to, where it belongs to one.
                         */
                        runId?: string;
                        /**
                         * Format: uuid
                         * @description Batch that the run belongs to, where it belongs to one.
                         */
                        batchId?: string;
                        /**
                         * Format: uuid
                         * @description Experiment that the run belongs to, where it belongs to one.
                         */
                        experimentId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.job.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "job.succeeded";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        jobId: string;
                        /** @description State that the job has entered. */
                        status: components["schemas"]["JobState"];
                        /**
                         * Format: uuid
                         * @description Run that the job belongs to, where it belongs to one.
                         */
                        runId?: string;
                        /**
                         * Format: uuid
                         * @description Batch that the run belongs to, where it belongs to one.
                         */
                        batchId?: string;
                        /**
                         * Format: uuid
                         * @description Experiment that the run belongs to, where it belongs to one.
                         */
                        experimentId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.job.partially_succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "job.partially_succeeded";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        jobId: string;
                        /** @description State that the job has entered. */
                        status: components["schemas"]["JobState"];
                        /**
                         * Format: uuid
                         * @description Run that the job belongs to, where it belongs to one.
                         */
                        runId?: string;
                        /**
                         * Format: uuid
                         * @description Batch that the run belongs to, where it belongs to one.
                         */
                        batchId?: string;
                        /**
                         * Format: uuid
                         * @description Experiment that the run belongs to, where it belongs to one.
                         */
                        experimentId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.job.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "job.failed";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        jobId: string;
                        /** @description State that the job has entered. */
                        status: components["schemas"]["JobState"];
                        /**
                         * Format: uuid
                         * @description Run that the job belongs to, where it belongs to one.
                         */
                        runId?: string;
                        /**
                         * Format: uuid
                         * @description Batch that the run belongs to, where it belongs to one.
                         */
                        batchId?: string;
                        /**
                         * Format: uuid
                         * @description Experiment that the run belongs to, where it belongs to one.
                         */
                        experimentId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.job.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "job.cancelled";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        jobId: string;
                        /** @description State that the job has entered. */
                        status: components["schemas"]["JobState"];
                        /**
                         * Format: uuid
                         * @description Run that the job belongs to, where it belongs to one.
                         */
                        runId?: string;
                        /**
                         * Format: uuid
                         * @description Batch that the run belongs to, where it belongs to one.
                         */
                        batchId?: string;
                        /**
                         * Format: uuid
                         * @description Experiment that the run belongs to, where it belongs to one.
                         */
                        experimentId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.job.progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "job.progress";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        jobId: string;
                        /** @description Share in percent that was reached. */
                        percent: number;
                        /** @description Tasks that are verified. */
                        completed: number;
                        /** @description Tasks that have failed. */
                        failed: number;
                        /** @description Tasks of the job. */
                        total: number;
                        /**
                         * Format: uuid
                         * @description Run that the job belongs to, where it belongs to one.
                         */
                        runId?: string;
                        /**
                         * Format: uuid
                         * @description Batch that the run belongs to, where it belongs to one.
                         */
                        batchId?: string;
                        /**
                         * Format: uuid
                         * @description Experiment that the run belongs to, where it belongs to one.
                         */
                        experimentId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.job.recovered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "job.recovered";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        jobId: string;
                        /** @description Why the instance was lost. */
                        cause: components["schemas"]["LossCause"];
                        /** @description Verified tasks that were kept. */
                        tasksKept: number;
                        /** @description Seconds from the loss until work went on. */
                        seconds: number;
                        /**
                         * Format: uuid
                         * @description Run that the job belongs to, where it belongs to one.
                         */
                        runId?: string;
                        /**
                         * Format: uuid
                         * @description Batch that the run belongs to, where it belongs to one.
                         */
                        batchId?: string;
                        /**
                         * Format: uuid
                         * @description Experiment that the run belongs to, where it belongs to one.
                         */
                        experimentId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.upload.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "upload.completed";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        uploadId: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.upload.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "upload.failed";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        uploadId: string;
                        /** @description Code that says why. */
                        code: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.upload.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "upload.expired";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        uploadId: string;
                        /** @description Code that says why. */
                        code: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.inspection.made": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "inspection.made";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        inspectionId: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.docking.export.made": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "docking.export.made";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        exportId: string;
                        /**
                         * Format: uuid
                         * @description Artifact that has the file.
                         */
                        artifactId: string;
                        /**
                         * Format: uuid
                         * @description Batch that the run belongs to, where it belongs to one.
                         */
                        batchId?: string;
                        /**
                         * Format: uuid
                         * @description Run that the job belongs to, where it belongs to one.
                         */
                        runId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.docking.export.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "docking.export.failed";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        exportId: string;
                        /** @description Code that says why. */
                        code: string;
                        /**
                         * Format: uuid
                         * @description Batch that the run belongs to, where it belongs to one.
                         */
                        batchId?: string;
                        /**
                         * Format: uuid
                         * @description Run that the job belongs to, where it belongs to one.
                         */
                        runId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.topup.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "topup.paid";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        topupId: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.topup.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "topup.failed";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        topupId: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.topup.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "topup.expired";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        topupId: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.credits.low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "credits.low";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        accountId: string;
                        /** @description Limit that was reached, in minor units of the currency of credits. */
                        limitCents: number;
                        /** @description Amount that has reached it, in minor units of the currency of credits. */
                        reachedCents: number;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.credits.limit_reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "credits.limit_reached";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        accountId: string;
                        /** @description Share in percent that was reached. */
                        percent: number;
                        /** @description Limit that was reached, in minor units of the currency of credits. */
                        limitCents: number;
                        /** @description Amount that has reached it, in minor units of the currency of credits. */
                        reachedCents: number;
                        /**
                         * Format: uuid
                         * @description API key whose limit it is; missing for the limit of the account.
                         */
                        keyId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.project.saved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "project.saved";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        projectId: string;
                        /** @description Version that the change was made to or has made. */
                        version: number;
                        /** @description Version that was restored, where one was. */
                        sourceVersion?: number;
                        /**
                         * Format: uuid
                         * @description Share that was made or revoked.
                         */
                        shareId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.project.shared": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "project.shared";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        projectId: string;
                        /** @description Version that the change was made to or has made. */
                        version: number;
                        /** @description Version that was restored, where one was. */
                        sourceVersion?: number;
                        /**
                         * Format: uuid
                         * @description Share that was made or revoked.
                         */
                        shareId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.project.share_revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "project.share_revoked";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        projectId: string;
                        /** @description Version that the change was made to or has made. */
                        version: number;
                        /** @description Version that was restored, where one was. */
                        sourceVersion?: number;
                        /**
                         * Format: uuid
                         * @description Share that was made or revoked.
                         */
                        shareId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.project.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "project.deleted";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        projectId: string;
                        /** @description Version that the change was made to or has made. */
                        version: number;
                        /** @description Version that was restored, where one was. */
                        sourceVersion?: number;
                        /**
                         * Format: uuid
                         * @description Share that was made or revoked.
                         */
                        shareId?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.account.active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "account.active";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        accountId: string;
                        /** @description State that the account has entered. */
                        state: "ACTIVE" | "SUSPENDED" | "CLOSED" | (string & {});
                        /** @description State that the account has left. */
                        former: "ACTIVE" | "SUSPENDED" | "CLOSED" | (string & {});
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.account.suspended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "account.suspended";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        accountId: string;
                        /** @description State that the account has entered. */
                        state: "ACTIVE" | "SUSPENDED" | "CLOSED" | (string & {});
                        /** @description State that the account has left. */
                        former: "ACTIVE" | "SUSPENDED" | "CLOSED" | (string & {});
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.account.closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "account.closed";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        accountId: string;
                        /** @description State that the account has entered. */
                        state: "ACTIVE" | "SUSPENDED" | "CLOSED" | (string & {});
                        /** @description State that the account has left. */
                        former: "ACTIVE" | "SUSPENDED" | "CLOSED" | (string & {});
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "key.created";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        keyId: string;
                        /** @description Whether the key is for real work or for tests. */
                        environment: "live" | "test" | (string & {});
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.key.rotated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "key.rotated";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        keyId: string;
                        /**
                         * Format: uuid
                         * @description Key that takes the place of this one.
                         */
                        successor: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.key.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "key.revoked";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        keyId: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.member.invited": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "member.invited";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        invitationId: string;
                        /** @description Role of the person in the account. */
                        role: "owner" | "member" | (string & {});
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.member.joined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "member.joined";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        userId: string;
                        /** @description Role of the person in the account. */
                        role: "owner" | "member" | (string & {});
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.member.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "member.changed";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        userId: string;
                        /** @description Role of the person in the account. */
                        role: "owner" | "member" | (string & {});
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event.member.left": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the event for ever, whichever way it reaches you: ignore an id that you have seen.
                     */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @enum {string}
                     */
                    type: "member.left";
                    /**
                     * Format: date-time
                     * @description When it happened, in UTC.
                     */
                    timestamp: string;
                    /** @description What happened. */
                    data: {
                        /**
                         * Format: uuid
                         * @description Id of what the event tells of.
                         */
                        userId: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
