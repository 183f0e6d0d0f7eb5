/** Answers of the API. Generated from its schemas by `npm run client:types`. Do not edit. */
export interface components {
    schemas: {
        readonly SubmitJobResponse: {
            readonly jobId: string;
            readonly jobType: "render" | "simulation" | "molecular" | "pipeline";
            readonly estimatedCost: number;
            readonly currency: string;
            readonly status: "SUBMITTED";
            readonly provider: string;
            readonly idempotentReplay?: boolean;
            readonly message: string;
            readonly creditCurrency: string;
            readonly fxRate: number;
            readonly heldCents: number;
        };
        readonly JobListResponse: {
            readonly jobs: readonly {
                readonly jobId: string;
                readonly jobType: "render" | "simulation" | "molecular" | "pipeline";
                readonly jobName: string | null;
                readonly status: components["schemas"]["JobState"];
                readonly simulator: string | null;
                readonly progressPercent: number;
                readonly estimatedCost: number;
                readonly currency: string;
                readonly chargedCents: number;
                readonly creditCurrency: string;
                readonly createdAt: string;
                readonly updatedAt: string;
                readonly finishedAt: string | null;
            }[];
            readonly nextCursor: string | null;
        };
        readonly JobState: "SUBMITTED" | "QUEUED" | "PROVISIONING" | "RUNNING" | "RECOVERING" | "PAUSED" | "FINALIZING" | "CANCELLING" | "SUCCEEDED" | "PARTIALLY_SUCCEEDED" | "FAILED" | "CANCELLED";
        readonly JobStatusResponse: {
            readonly jobId: string;
            readonly jobType: "render" | "simulation" | "molecular" | "pipeline";
            readonly jobName: string | null;
            readonly status: components["schemas"]["JobState"];
            readonly execution: number;
            readonly provider: string;
            readonly statusReason: string | null;
            readonly pauseReason: components["schemas"]["PauseReason"];
            readonly cancelReason: string | null;
            readonly queue: {
                readonly position: number | null;
                readonly reason: components["schemas"]["WaitReason"];
                readonly license?: {
                    readonly software: string;
                    readonly seats: number;
                    readonly used: number;
                };
            } | null;
            readonly progress: {
                readonly unit: "frame" | "task" | "ligand";
                readonly total: number;
                readonly completed: number;
                readonly failed: number;
                readonly running: number;
                readonly percent: number;
                readonly etaSeconds: number | null;
            };
            readonly recovery: {
                readonly mode: "standard" | "resumable";
                readonly resumable: boolean;
                readonly resumableReason: string | null;
                readonly recoveries: number;
                readonly tasksSetBack: number;
                readonly secondsLost: number;
                readonly chargedCents: number;
                readonly events: readonly {
                    readonly at: string;
                    readonly cause: components["schemas"]["LossCause"];
                    readonly tasksKept: number;
                    readonly secondsLost: number;
                    readonly chargedCents: number;
                }[];
            };
            readonly instances: readonly {
                readonly slot: number;
                readonly generation: number;
                readonly state: "STARTING" | "WORKING" | "LEAVING";
                readonly type: string | null;
                readonly market: "ON_DEMAND" | "SPOT";
                readonly zone: string | null;
                readonly gpus: number;
                readonly since: string;
            }[];
            readonly cost: {
                readonly estimatedCost: number;
                readonly accruedCost: number;
                readonly currency: string;
                readonly creditCurrency: string;
                readonly fxRate: number;
                readonly heldCents: number;
                readonly chargedCents: number;
                readonly releasedCents: number;
                readonly limitCents: number | null;
                readonly forecast: {
                    readonly lowCents: number;
                    readonly highCents: number;
                    readonly basis: "PROGRESS" | "VERIFIED" | "ESTIMATE";
                } | null;
                readonly toFinishCents: number | null;
                readonly toFinishAdvice: string | null;
                readonly toFinishFailsAgain: boolean;
            };
            readonly failures: readonly {
                readonly index: number | null;
                readonly id: string | null;
                readonly code: components["schemas"]["FailureCode"];
                readonly message: string;
                readonly attempts: number;
            }[];
            readonly warnings: readonly {
                readonly code: components["schemas"]["WarningCode"];
                readonly message: string;
            }[];
            readonly outputsAvailable: boolean;
            readonly submittedAt: string;
            readonly startedAt: string | null;
            readonly updatedAt: string;
            readonly finishedAt: string | null;
            readonly docking?: {
                readonly box: {
                    readonly centerAngstrom: readonly number[];
                    readonly sizeAngstrom: readonly number[];
                    readonly derivation: "explicit" | "ligand" | "residues";
                    readonly receptorHeavyAtoms: number;
                };
                readonly receptor: {
                    readonly cacheKey: string;
                    readonly cacheHit: boolean;
                    readonly heavyAtoms: number;
                };
                readonly validation: {
                    readonly component_id: string;
                    readonly rmsd_top_angstrom: number | null;
                    readonly rmsd_best_angstrom: number | null;
                    readonly best_mode: number | null;
                    readonly passed: boolean;
                } | null;
            } | null;
            readonly render?: {
                readonly scene: string;
                readonly camera: string;
                readonly width: number;
                readonly height: number;
                readonly samples: number;
                readonly usesAdaptiveSampling: boolean;
                readonly blenderVersion: string;
                readonly estimatedSecondsPerFrame: number;
                readonly memoryBytes: number;
                readonly preview: {
                    readonly name: string;
                    readonly frame: number;
                };
            } | null;
        };
        readonly PauseReason: "COST_LIMIT" | "CREDITS" | "LICENSE" | "OPERATOR" | null;
        readonly WaitReason: string | ("ACCOUNT_LIMIT" | "CAPACITY" | "LICENSE_SEATS" | "NO_CAPACITY");
        readonly LossCause: string | ("OUTPUTS_MISSING" | "INSTANCE_GONE" | "INSTANCE_SILENT" | "LAUNCH_REFUSED" | "PREEMPTED" | "WORKER_ERROR" | "NO_PROGRESS" | "CONTROL_LOST");
        readonly FailureCode: string | ("ENGINE_CRASHED" | "ENGINE_TIMEOUT" | "ENGINE_OUT_OF_MEMORY" | "ENGINE_LIMIT_EXCEEDED" | "OUTPUT_UNVERIFIED" | "INPUT_NOT_FOUND" | "INPUT_CHANGED" | "INPUT_DIGEST_MISMATCH" | "INPUT_UNREADABLE" | "PACK_NOT_INSTALLED" | "WORKER_LOST" | "STOP_RULE" | "CONTROL_MISSED" | "INTERNAL_ERROR" | "RECEPTOR_NOT_FOUND" | "RECEPTOR_FETCH_FAILED" | "RECEPTOR_UNREADABLE" | "RECEPTOR_EMPTY" | "RECEPTOR_ASSEMBLY_NOT_FOUND" | "RECEPTOR_MODEL_NOT_FOUND" | "RECEPTOR_CHAIN_NOT_FOUND" | "RECEPTOR_TEMPLATE_UNMATCHED" | "RECEPTOR_MISSING_ATOMS" | "RECEPTOR_UNKNOWN_COMPONENT" | "RECEPTOR_CLASH" | "RECEPTOR_RESIDUE_NOT_FOUND" | "RECEPTOR_RESIDUE_AMBIGUOUS" | "RECEPTOR_RESIDUE_NOT_FLEXIBLE" | "PROTONATION_FAILED" | "POCKET_LIGAND_NOT_FOUND" | "POCKET_LIGAND_AMBIGUOUS" | "BOX_EMPTY" | "NATIVE_REFERENCE_NOT_FOUND" | "LIGAND_PARSE_FAILED" | "LIGAND_NOT_FOUND" | "LIGAND_MULTI_FRAGMENT" | "LIGAND_MULTI_RECORD" | "LIGAND_FORMAT_UNSUPPORTED" | "LIGAND_ARTIFACT_UNREADABLE" | "LIGAND_UNSUPPORTED_ATOM" | "LIGAND_EMBED_FAILED" | "LIGAND_TOO_LARGE" | "LIGAND_PREPARATION_TIMEOUT" | "POCKETS_NO_ATOMS" | "QUERY_EMPTY" | "QUERY_INVALID" | "QUERY_TYPE_MISMATCH" | "QUERY_TOO_LARGE" | "TASK_COUNT_MISMATCH" | "DATABASE_TYPE_MISMATCH" | "DATABASE_CHECKSUM_MISMATCH" | "DATABASE_UNREADABLE" | "OUTPUT_TOO_LARGE" | "CASE_UNREADABLE" | "CASE_PATH_REFUSED" | "CASE_FILE_MISSING" | "CASE_INVALID" | "MODEL_DIVERGED" | "SCENE_UNREADABLE" | "SCENE_TOO_NEW" | "ASSET_MISSING" | "ASSET_UNREADABLE" | "ASSET_OUTSIDE_PACKAGE" | "COLOR_SPACE_MISSING" | "CAMERA_MISSING" | "ENGINE_UNSUPPORTED" | "RESOLUTION_TOO_LARGE" | "GPU_UNUSABLE" | "SCENE_NEEDS_MEMORY");
        readonly WarningCode: string | ("PARAMETER_UNUSED" | "LIBRARY_NAME_REPEATED" | "LIBRARY_PROPERTIES_LEFT_OUT" | "FORECAST_NOT_COVERED" | "SPOT_NOT_OFFERED" | "SPOT_PRICED" | "RECEPTOR_REPAIRED" | "POCKET_ATOMS_BUILT" | "POCKET_REPAIRED" | "RECEPTOR_LOW_CONFIDENCE" | "RESIDUE_RENAMED" | "METAL_TYPE_SUBSTITUTED" | "COFACTOR_REMOVED" | "COVALENT_COMPONENT_REMOVED" | "COMPONENT_NOT_FOUND" | "WATER_IN_BOX" | "PREPARED_RECEPTOR_STALE" | "POCKET_OCCUPIED" | "BOX_LARGE" | "PROTONATION_AMBIGUOUS" | "PROTONATION_STATE_CHANGED" | "RECEPTOR_CLOSE_CONTACT" | "RECEPTOR_END_MISSING" | "RECEPTOR_ATOMS_FEWER_THAN_DECLARED" | "STEREO_UNSPECIFIED" | "STEREO_RELATIVE" | "STATES_PRICED" | "STATES_LIMITED" | "STEREO_AXIS_OPEN" | "LIGAND_DESALTED" | "LIGAND_USED_AS_IS" | "PROTONATION_NOT_APPLIED" | "PROTONATION_NEAR_PKA" | "PROTONATION_DOUBTFUL" | "PROTONATION_UNCERTAIN" | "TAUTOMER_UNLIKELY" | "TAUTOMER_CHANGED" | "MACROCYCLE_RIGID" | "ISOTOPES_IGNORED" | "BORON_AS_CARBON" | "FORCE_FIELD_MISSING" | "POSE_IMPLAUSIBLE" | "POSE_DISPUTED" | "AFFINITY_POSITIVE" | "CONTROL_FAILED" | "CONTROL_RMSD_HIGH" | "NAME_NOT_EXACT" | "CANDIDATES_CUT" | "DICTIONARY_MISSING" | "CHARGE_NOT_COMPUTED" | "POCKETS_NONE_FOUND" | "POCKETS_CLOCK_NOT_FIXED" | "POCKETS_COMPONENTS_KEPT" | "QUERY_GAPS_REMOVED" | "QUERY_MASKED_LETTERS" | "QUERY_TITLE_CUT" | "DATABASE_ID_REPEATED" | "DATABASE_RECORD_EMPTY" | "BLAST_HITS_FEW" | "QUERY_REPEATED" | "ERROR_PASSED_OVER" | "NOT_CONVERGED" | "OUTPUT_NOT_WRITTEN" | "POINT_LEFT_OUT" | "NAMELIST_UNUSED" | "FRAME_DEFAULTED" | "SCRIPTS_DISABLED" | "SIMULATION_NOT_BAKED" | "SETTINGS_IGNORED");
        readonly JobRequestResponse: {
            readonly jobId: string;
            readonly request: object;
            readonly effectiveSeed: number | null;
            readonly submittable: boolean;
            readonly advice: string | null;
        };
        readonly JobBillResponse: {
            readonly jobId: string;
            readonly creditCurrency: string;
            readonly chargedCents: number;
            readonly executions: readonly {
                readonly execution: number;
                readonly outcome: string | null;
                readonly startedAt: string;
                readonly settledAt: string | null;
                readonly priceBookVersion: string;
                readonly currency: string;
                readonly lines: readonly {
                    readonly kind: "start_fee" | "tasks" | "time" | "software" | "storage" | "egress" | "ceiling";
                    readonly priceClass: string | null;
                    readonly tasks: number | null;
                    readonly meteredMs: number | null;
                    readonly amountMicro: number;
                }[];
                readonly totalMicro: number;
                readonly fxRate: number;
                readonly fxSource: string | null;
                readonly fxDate: string | null;
                readonly convertedMicro: number;
                readonly roundingMicro: number;
                readonly dueCents: number;
                readonly heldCents: number;
                readonly chargedCents: number;
                readonly releasedCents: number;
                readonly transfers: readonly {
                    readonly transferId: string;
                    readonly type: "topup" | "topup_bonus" | "promo" | "monthly_grant" | "monthly_expiry" | "hold" | "hold_increase" | "hold_release" | "charge" | "refund" | "dispute" | "adjustment";
                    readonly amountCents: number;
                }[];
            }[];
        };
        readonly TaskListResponse: {
            readonly tasks: readonly {
                readonly index: number;
                readonly id: string;
                readonly state: "PENDING" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
                readonly attempts: number;
                readonly startedAt: string | null;
                readonly finishedAt: string | null;
                readonly progressPercent: number;
                readonly failure: {
                    readonly code: components["schemas"]["FailureCode"];
                    readonly message: string;
                } | null;
                readonly summary: components["schemas"]["DockedLigandSummary"] | components["schemas"]["PocketsSummary"] | components["schemas"]["SearchSummary"] | components["schemas"]["SwanSummary"] | components["schemas"]["Wavewatch3Summary"] | components["schemas"]["FrameSummary"] | (object | null);
            }[];
            readonly nextCursor: string | null;
        };
        readonly DockedLigandSummary: {
            readonly bestAffinityKcalMol: number;
            readonly ligandEfficiency?: number | null;
            readonly sizeIndependentEfficiency?: number | null;
            readonly bestPoseFailedChecks?: number | null;
            readonly plausiblePoseCount?: number;
            readonly heavyAtoms?: number;
            readonly poseCount?: number;
            readonly smilesDocked?: string;
        };
        readonly PocketsSummary: {
            readonly pocketsFound: number;
            readonly pocketCount?: number;
            readonly bestScore: number | null;
            readonly bestDruggabilityScore?: number | null;
            readonly bestVolumeAngstrom3?: number | null;
            readonly pockets?: readonly {
                readonly rank: number;
                readonly score: number;
                readonly druggabilityScore?: number | null;
                readonly volumeAngstrom3?: number;
                readonly centerAngstrom?: readonly number[];
                readonly residueCount?: number;
            }[];
        };
        readonly SearchSummary: {
            readonly queries: number;
            readonly queriesWithHits: number;
            readonly hits: number;
            readonly firstQuery?: number;
            readonly residues?: number;
            readonly best?: readonly {
                readonly query: string;
                readonly subject: string;
                readonly identityPercent?: number;
                readonly length?: number;
                readonly evalue?: number;
                readonly bitScore?: number;
            }[];
        };
        readonly SwanSummary: {
            readonly steps: number;
            readonly greatestWaveHeightMetres: number | null;
            readonly resumable?: boolean;
            readonly accuratePercent?: number | null;
            readonly points?: readonly {
                readonly x?: number;
                readonly y?: number | null;
                readonly significantWaveHeightMetres?: number | null;
                readonly peakPeriodSeconds?: number | null;
                readonly directionDegrees?: number | null;
                readonly depthMetres?: number | null;
            }[];
        };
        readonly Wavewatch3Summary: {
            readonly steps: number;
            readonly greatestWaveHeightMetres: number | null;
            readonly resumable?: boolean;
            readonly points?: readonly {
                readonly x?: number | null;
                readonly y?: number | null;
                readonly significantWaveHeightMetres?: number | null;
                readonly peakPeriodSeconds?: number | null;
                readonly directionDegrees?: number | null;
                readonly meanPeriodSeconds?: number | null;
                readonly meanWaveLengthMetres?: number | null;
            }[];
        };
        readonly FrameSummary: {
            readonly frame: number;
            readonly width?: number;
            readonly height?: number;
            readonly samples?: number;
            readonly seconds: number;
            readonly memoryMiB?: number;
            readonly pixelSha256?: string;
        };
        readonly RecoveryListResponse: {
            readonly recoveries: readonly {
                readonly at: string;
                readonly kind: "LOSS" | "PAUSE" | "RESUME";
                readonly execution: number;
                readonly instance: {
                    readonly slot: number;
                    readonly generation: number;
                    readonly type: string | null;
                    readonly market: "ON_DEMAND" | "SPOT";
                } | null;
                readonly cause: components["schemas"]["RecoveryCause"];
                readonly tasksKept: number;
                readonly tasksSetBack: number;
                readonly secondsLost: number;
                readonly secondsUntilWork: number | null;
                readonly chargedCents: number;
            }[];
            readonly nextCursor: string | null;
        };
        readonly RecoveryCause: string | ("OUTPUTS_MISSING" | "INSTANCE_GONE" | "INSTANCE_SILENT" | "LAUNCH_REFUSED" | "PREEMPTED" | "WORKER_ERROR" | "NO_PROGRESS" | "CONTROL_LOST" | "COST_LIMIT" | "CREDITS" | "LICENSE" | "OPERATOR" | "RESUMED");
        readonly OutputListResponse: {
            readonly jobId: string;
            readonly status: components["schemas"]["JobState"];
            readonly complete: boolean;
            readonly final: boolean;
            readonly expected: number;
            readonly present: number;
            readonly failed: readonly string[];
            readonly failedCount: number;
            readonly missing: readonly string[];
            readonly missingCount: number;
            readonly outputs: readonly components["schemas"]["OutputItem"][];
            readonly manifest: {
                readonly artifactId: string;
                readonly name: string;
                readonly kind: string;
                readonly frame: number | null;
                readonly taskIndex: number | null;
                readonly ligandId: string | null;
                readonly mediaType: string;
                readonly format: string | null;
                readonly byteSize: number;
                readonly sha256: string;
                readonly storageKey: string;
                readonly url: string;
                readonly urlExpiresAt: string;
                readonly createdAt: string;
            } | null;
            readonly nextCursor: string | null;
        };
        readonly OutputItem: {
            readonly artifactId: string;
            readonly name: string;
            readonly kind: string;
            readonly frame: number | null;
            readonly taskIndex: number | null;
            readonly ligandId: string | null;
            readonly mediaType: string;
            readonly format: string | null;
            readonly byteSize: number;
            readonly sha256: string;
            readonly storageKey: string;
            readonly url: string;
            readonly urlExpiresAt: string;
            readonly createdAt: string;
        };
        readonly CancelJobResponse: {
            readonly jobId: string;
            readonly status: components["schemas"]["JobState"];
            readonly cancelRequestedAt: string | null;
            readonly message: string;
        };
        readonly ResumeJobResponse: {
            readonly jobId: string;
            readonly status: components["schemas"]["JobState"];
            readonly execution: number;
            readonly estimatedCost: number;
            readonly currency: "USD" | "GBP";
            readonly creditCurrency: "GBP";
            readonly fxRate: number;
            readonly heldCents: number;
            readonly message: string;
        };
        readonly SignedReceipt: {
            readonly receipt: {
                readonly schema: "dockyard.receipt/v1";
                readonly issuer: string;
                readonly jobId: string;
                readonly execution: number;
                readonly outcome: string;
                readonly jobType: string;
                readonly simulator: string | null;
                readonly requestSha256: string;
                readonly effectiveSeed: number | null;
                readonly toolchainSha256: readonly string[];
                readonly cpuClasses: readonly string[];
                readonly submittedAt: string;
                readonly startedAt: string;
                readonly settledAt: string;
                readonly tasks: {
                    readonly total: number;
                    readonly verified: number;
                    readonly failed: number;
                };
                readonly attempts: {
                    readonly started: number;
                    readonly repeated: readonly {
                        readonly taskIndex: number;
                        readonly attempts: number;
                    }[];
                };
                readonly adopted?: readonly {
                    readonly taskIndex: number;
                    readonly fromJobId: string;
                    readonly fromTaskIndex: number;
                }[];
                readonly recoveries: readonly {
                    readonly at: string;
                    readonly kind: "LOSS" | "PAUSE" | "RESUME";
                    readonly cause: components["schemas"]["RecoveryCause"];
                    readonly slot: number | null;
                    readonly generation: number | null;
                    readonly tasksKept: number;
                    readonly tasksSetBack: number;
                }[];
                readonly inputs: readonly {
                    readonly storageKey: string;
                    readonly byteSize: number;
                    readonly sha256: string;
                }[];
                readonly outputs: readonly {
                    readonly artifactId: string;
                    readonly taskIndex: number | null;
                    readonly name: string;
                    readonly byteSize: number;
                    readonly sha256: string;
                }[];
                readonly price: {
                    readonly priceBookVersion: string;
                    readonly currency: string;
                    readonly totalMicro: number;
                    readonly fxRateMicro: number;
                    readonly creditCurrency: string;
                    readonly heldCents: number;
                    readonly chargedCents: number;
                    readonly releasedCents: number;
                };
                readonly transactions: readonly {
                    readonly transferId: string;
                    readonly type: "topup" | "topup_bonus" | "promo" | "monthly_grant" | "monthly_expiry" | "hold" | "hold_increase" | "hold_release" | "charge" | "refund" | "dispute" | "adjustment";
                    readonly amountCents: number;
                }[];
            };
            readonly signature: {
                readonly algorithm: "Ed25519";
                readonly keyId: string;
                readonly value: string;
            };
        };
        readonly ReceiptKeyList: {
            readonly keys: readonly {
                readonly kty: "OKP";
                readonly crv: "Ed25519";
                readonly alg: "EdDSA";
                readonly use: "sig";
                readonly kid: string;
                readonly x: string;
            }[];
            readonly nextCursor: string | null;
        };
        readonly EstimateJobResponse: {
            readonly estimatedCost: number;
            readonly currency: string;
            readonly hasLicenseFee?: boolean;
            readonly licenseNames?: readonly string[];
            readonly breakdown?: {
                readonly compute: number;
                readonly software: number;
                readonly storage: number;
                readonly egress: number;
                readonly startFee: number;
            };
            readonly variableRates?: {
                readonly hardwareRate: number;
                readonly egressRate: number;
            };
            readonly heldCents: number;
            readonly ceilingCents: number;
            readonly longestTaskSeconds: number;
            readonly creditCurrency: string;
            readonly fxRate: number;
            readonly fxSource: string | null;
            readonly fxDate: string | null;
            readonly warnings: readonly {
                readonly code: components["schemas"]["WarningCode"];
                readonly message: string;
            }[];
            readonly quoteId: string;
            readonly quoteExpiresAt: string;
        };
        readonly PublicPricesResponse: {
            readonly version: string;
            readonly date: string;
            readonly current: boolean;
            readonly currency: string;
            readonly regions: readonly string[];
            readonly figures: readonly {
                readonly name: string;
                readonly value: number;
                readonly source: string;
                readonly date: string;
            }[];
            readonly hardware: readonly {
                readonly name: string;
                readonly vcpus: number;
                readonly memoryGib: number;
                readonly gpu: string | null;
                readonly gpus: number;
                readonly onDemandMicroUsdPerHour: number;
                readonly spotMicroUsdPerHour: number;
                readonly source: string;
                readonly date: string;
            }[];
            readonly licences: readonly {
                readonly id: string;
                readonly name: string;
                readonly microUsdPerHour: number;
                readonly source: string;
                readonly date: string;
            }[];
            readonly tools: readonly {
                readonly id: string;
                readonly figures: readonly {
                    readonly name: string;
                    readonly value: number;
                }[];
                readonly source: string;
                readonly date: string;
            }[];
            readonly fallbackFx: {
                readonly usdToGbp: number;
                readonly source: string;
                readonly date: string;
            };
        };
        readonly PublicEstimateResponse: {
            readonly estimatedCost: number;
            readonly estimatedCostGbp: number;
            readonly currency: string;
            readonly creditCurrency: string;
            readonly fxRate: number;
            readonly fxSource: string | null;
            readonly fxDate: string | null;
            readonly priceBookVersion: string;
            readonly hasLicenseFee?: boolean;
            readonly licenseNames?: readonly string[];
            readonly breakdown?: {
                readonly compute: number;
                readonly software: number;
                readonly storage: number;
                readonly egress: number;
                readonly startFee: number;
            };
            readonly meta?: {
                readonly totalFrames: number;
                readonly totalSizeGB: number;
                readonly variableRates?: {
                    readonly hardwareRate: number;
                    readonly egressRate: number;
                };
            };
        };
        readonly UploadUrlResponse: {
            readonly uploadUrl: string;
            readonly s3Key: string;
            readonly method: "PUT";
            readonly expiresIn: number;
            readonly headers?: {
                readonly [key: string]: string;
            };
            readonly provider: "aws-s3" | "azure-blob";
        };
        readonly MultipartInitResponse: {
            readonly uploadId: string;
            readonly key: string;
            readonly partSize: number;
            readonly partCount: number;
            readonly parts: readonly {
                readonly partNumber: number;
                readonly url: string;
            }[];
            readonly headers: {
                readonly [key: string]: string;
            };
            readonly expiresIn: number;
            readonly provider: "aws" | "azure";
            readonly checksumAlgorithm: "sha256" | null;
            readonly expiresAt: string;
        };
        readonly UploadListResponse: {
            readonly uploads: readonly {
                readonly uploadId: string;
                readonly key: string;
                readonly state: "OPENING" | "OPEN" | "VERIFYING" | "COMPLETED" | "FAILED" | "ABORTED" | "EXPIRED";
                readonly filename: string;
                readonly contentType: string;
                readonly size: number;
                readonly sha256: string | null;
                readonly projectId: string | null;
                readonly logicalPath: string | null;
                readonly partSize: number | null;
                readonly partCount: number | null;
                readonly checksumAlgorithm: "sha256" | null;
                readonly createdAt: string;
                readonly expiresAt: string | null;
                readonly completedAt: string | null;
            }[];
            readonly nextCursor: string | null;
        };
        readonly UploadUsageResponse: {
            readonly usedBytes: number;
            readonly reservedBytes: number;
            readonly quotaBytes: number;
            readonly files: number;
        };
        readonly MultipartStatusResponse: {
            readonly uploadId: string;
            readonly key: string;
            readonly partSize: number;
            readonly partCount: number;
            readonly received: readonly {
                readonly partNumber: number;
                readonly etag: string;
                readonly size: number;
                readonly checksumSha256?: string;
            }[];
            readonly missing: readonly number[];
            readonly complete: boolean;
            readonly provider: "aws" | "azure";
            readonly state: "OPENING" | "OPEN" | "VERIFYING" | "COMPLETED" | "FAILED" | "ABORTED" | "EXPIRED";
            readonly filename: string;
            readonly contentType: string;
            readonly size: number;
            readonly checksumAlgorithm: "sha256" | null;
            readonly sha256: string | null;
            readonly projectId: string | null;
            readonly logicalPath: string | null;
            readonly createdAt: string;
            readonly expiresAt: string;
        };
        readonly MultipartPartUrlsResponse: {
            readonly uploadId: string;
            readonly parts: readonly {
                readonly partNumber: number;
                readonly url: string;
                readonly headers: {
                    readonly [key: string]: string;
                };
            }[];
            readonly partSize: number;
            readonly partCount: number;
            readonly expiresIn: number;
            readonly provider: "aws" | "azure";
        };
        readonly MultipartCompleteResponse: {
            readonly key: string;
            readonly size: number;
            readonly etag?: string;
            readonly verified: true;
            readonly integrity: "parts-sha256" | "size";
            readonly provider: "aws" | "azure";
            readonly sha256?: string;
        };
        readonly CreditBalanceResponse: {
            readonly wallet_cents: number;
            readonly wallet_held_cents: number;
            readonly wallet_available_cents: number;
            readonly monthly_cents: number;
            readonly monthly_held_cents: number;
            readonly monthly_available_cents: number;
            readonly monthly_reset_at: string | null;
            readonly total_credited_cents: number;
            readonly held_cents: number;
            readonly available_cents: number;
            readonly available_display: string;
            readonly debt_cents: number;
        };
        readonly TransactionListResponse: {
            readonly transactions: readonly {
                readonly id: string;
                readonly type: "topup" | "topup_bonus" | "promo" | "monthly_grant" | "monthly_expiry" | "hold" | "hold_increase" | "hold_release" | "charge" | "refund" | "dispute" | "adjustment";
                readonly bucket: "wallet" | "monthly";
                readonly amount_cents: number;
                readonly currency: string;
                readonly balance_after_cents: number;
                readonly held_after_cents: number;
                readonly debt_cents: number;
                readonly debt_after_cents: number;
                readonly job_id: string | null;
                readonly tier_id: string | null;
                readonly reverses_id: string | null;
                readonly description: string;
                readonly created_at: string;
            }[];
            readonly nextCursor: string | null;
        };
        readonly CreditUsageResponse: {
            readonly from: string;
            readonly to: string;
            readonly by: "day" | "job" | "key";
            readonly currency: string;
            readonly spent_cents: number;
            readonly held_cents: number;
            readonly rows: readonly {
                readonly day: string | null;
                readonly job_id: string | null;
                readonly key_id: string | null;
                readonly name: string | null;
                readonly spent_cents: number;
                readonly held_cents: number;
                readonly jobs: number;
            }[];
            readonly others: {
                readonly rows: number;
                readonly spent_cents: number;
                readonly held_cents: number;
            };
        };
        readonly StatementListResponse: {
            readonly statements: readonly {
                readonly month: string;
                readonly final: boolean;
                readonly closing: {
                    readonly wallet_cents: number;
                    readonly wallet_held_cents: number;
                    readonly monthly_cents: number;
                    readonly monthly_held_cents: number;
                    readonly debt_cents: number;
                };
            }[];
            readonly nextCursor: string | null;
        };
        readonly StatementResponse: {
            readonly month: string;
            readonly final: boolean;
            readonly currency: string;
            readonly opening: {
                readonly wallet_cents: number;
                readonly wallet_held_cents: number;
                readonly monthly_cents: number;
                readonly monthly_held_cents: number;
                readonly debt_cents: number;
            };
            readonly closing: {
                readonly wallet_cents: number;
                readonly wallet_held_cents: number;
                readonly monthly_cents: number;
                readonly monthly_held_cents: number;
                readonly debt_cents: number;
            };
            readonly lines: readonly {
                readonly id: string;
                readonly created_at: string;
                readonly type: "topup" | "topup_bonus" | "promo" | "monthly_grant" | "monthly_expiry" | "hold" | "hold_increase" | "hold_release" | "charge" | "refund" | "dispute" | "adjustment";
                readonly job_id: string | null;
                readonly tier_id: string | null;
                readonly reverses_id: string | null;
                readonly description: string;
                readonly wallet_cents: number;
                readonly wallet_held_cents: number;
                readonly monthly_cents: number;
                readonly monthly_held_cents: number;
                readonly debt_cents: number;
                readonly paid_cents: number;
            }[];
        };
        readonly TierListResponse: {
            readonly tiers: readonly {
                readonly tierId: string;
                readonly amountCents: number;
                readonly bonusCents: number;
                readonly creditsCents: number;
                readonly currency: string;
            }[];
            readonly nextCursor: string | null;
        };
        readonly TopupStartedResponse: {
            readonly url: string;
            readonly tierId: string;
            readonly topupId: string;
        };
        readonly TopupResponse: {
            readonly id: string;
            readonly tierId: string;
            readonly state: "CREATED" | "OPEN" | "PROCESSING" | "PAID" | "FAILED" | "EXPIRED";
            readonly amountCents: number;
            readonly bonusCents: number;
            readonly taxCents: number;
            readonly refundedCents: number;
            readonly currency: string;
            readonly url: string | null;
            readonly invoiceUrl: string | null;
            readonly receiptUrl: string | null;
            readonly createdAt: string;
            readonly paidAt: string | null;
        };
        readonly ArtifactResponse: {
            readonly artifact: components["schemas"]["RegisteredArtifact"];
            readonly verified: boolean;
            readonly verifiedAt: string;
            readonly provenance: {
                readonly kind: "upload";
                readonly uploadId: string;
            } | {
                readonly kind: "export";
                readonly exportId: string;
            } | {
                readonly kind: "task";
                readonly jobId: string;
                readonly taskIndex: number | null;
            };
        };
        readonly RegisteredArtifact: {
            readonly schema: "svc.docking.artifact/v1";
            readonly artifactId: string;
            readonly sha256: string;
            readonly storageKey: string;
            readonly byteSize: number;
            readonly mediaType: string;
            readonly format: "pdb" | "mmcif" | "pdbqt" | "sdf" | "mol2" | "json" | "log" | "smi" | "csv";
        };
        readonly DownloadUrlResponse: {
            readonly artifactId: string;
            readonly url: string;
            readonly method: "GET";
            readonly expiresIn: number;
            readonly expiresAt: string;
            readonly filename: string;
            readonly mediaType: string;
            readonly byteSize: number;
            readonly sha256: string;
        };
        readonly ResolveLigandResponse: {
            readonly candidates: readonly {
                readonly resolutionToken: string;
                readonly label: string;
                readonly sourceId: string;
                readonly source: {
                    readonly kind: "ccd";
                    readonly componentId: string;
                } | {
                    readonly kind: "smiles";
                    readonly smiles: string;
                };
                readonly preview: {
                    readonly canonicalSmiles: string;
                    readonly formula: string;
                    readonly formalCharge: number;
                    readonly protonationPh: number;
                    readonly chargeAtPh: number | null;
                    readonly smilesAtPh: string | null;
                    readonly svg: string;
                    readonly warnings: readonly {
                        readonly code: components["schemas"]["WarningCode"];
                        readonly message: string;
                    }[];
                };
            }[];
            readonly warnings: readonly {
                readonly code: components["schemas"]["WarningCode"];
                readonly message: string;
            }[];
        };
        readonly DockingResultListResponse: {
            readonly results: readonly components["schemas"]["DockingResult"][];
            readonly final: boolean;
            readonly nextCursor: string | null;
            readonly uiLinks: {
                readonly studio: string;
            };
        };
        readonly DockingResult: {
            readonly id: string;
            readonly user_id: string;
            readonly created_at: string;
            readonly run_id: string | null;
            readonly batch_id: string | null;
            readonly job_id: string;
            readonly ligand_id: string;
            readonly label: string;
            readonly status: "PENDING" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
            readonly rank: number | null;
            readonly best_affinity_kcal_mol: number | null;
            readonly ligand_efficiency: number | null;
            readonly size_independent_efficiency: number | null;
            readonly pose_count: number | null;
            readonly plausible_pose_count: number | null;
            readonly smiles_input: string | null;
            readonly smiles_docked: string | null;
            readonly formal_charge: number | null;
            readonly heavy_atoms: number | null;
            readonly molecular_weight: number | null;
            readonly log_p: number | null;
            readonly tpsa: number | null;
            readonly h_bond_donors: number | null;
            readonly h_bond_acceptors: number | null;
            readonly rotatable_bonds: number | null;
            readonly qed: number | null;
            readonly alerts: readonly string[] | null;
            readonly scaffold: string | null;
            readonly second_affinity_kcal_mol: number | null;
            readonly second_rank: number | null;
            readonly key_interactions: readonly string[] | null;
            readonly cluster: number | null;
            readonly states: {
                readonly on_paper: number;
                readonly won: number;
                readonly each: readonly {
                    readonly smiles: string | null;
                    readonly formal_charge: number;
                    readonly cost_kcal_mol: number;
                    readonly best_affinity_kcal_mol: number | null;
                }[];
            } | null;
            readonly warnings: readonly {
                readonly code: components["schemas"]["WarningCode"];
                readonly message: string;
            }[];
            readonly input_properties: {
                readonly [key: string]: string;
            };
            readonly library_line: number | null;
            readonly validation: {
                readonly component_id: string;
                readonly rmsd_top_angstrom: number | null;
                readonly rmsd_best_angstrom: number | null;
                readonly best_mode: number | null;
                readonly passed: boolean;
            } | null;
            readonly artifacts: readonly {
                readonly artifact_id: string;
                readonly name: string;
                readonly kind: string;
                readonly media_type: string;
                readonly format: string | null;
                readonly byte_size: number;
                readonly sha256: string;
                readonly storage_key: string;
            }[];
            readonly failure: {
                readonly code: components["schemas"]["FailureCode"];
                readonly message: string;
                readonly stage: "ligand" | "dock" | "verify" | null;
            } | null;
            readonly cached_from_result_id: string | null;
            readonly matched_modes: readonly number[] | null;
        };
        readonly DockingFailureListResponse: {
            readonly failures: readonly {
                readonly result_id: string;
                readonly run_id: string;
                readonly ligand_id: string;
                readonly label: string;
                readonly code: components["schemas"]["FailureCode"];
                readonly message: string;
                readonly stage: "ligand" | "dock" | "verify" | null;
                readonly library_line: number | null;
                readonly attempts: number;
                readonly failed_at: string | null;
            }[];
            readonly counts: readonly {
                readonly code: components["schemas"]["FailureCode"];
                readonly count: number;
            }[];
            readonly final: boolean;
            readonly nextCursor: string | null;
            readonly uiLinks: {
                readonly studio: string;
            };
        };
        readonly DockingResultResponse: {
            readonly result: components["schemas"]["DockingResult"];
            readonly uiLinks: {
                readonly studio: string;
            };
        };
        readonly DockingPoseListResponse: {
            readonly poses: readonly components["schemas"]["DockingPose"][];
            readonly uiLinks: {
                readonly studio: string;
            };
            readonly nextCursor: string | null;
        };
        readonly DockingPose: {
            readonly id: string;
            readonly user_id: string;
            readonly created_at: string;
            readonly result_id: string;
            readonly mode: number;
            readonly affinity_kcal_mol: number;
            readonly rmsd_lower_angstrom: number | null;
            readonly rmsd_upper_angstrom: number | null;
            readonly failed_checks: number | null;
            readonly second_affinity_kcal_mol: number | null;
            readonly interaction_count: number | null;
            readonly artifact: {
                readonly artifact_id: string;
                readonly name: string;
                readonly kind: string;
                readonly media_type: string;
                readonly format: string | null;
                readonly byte_size: number;
                readonly sha256: string;
                readonly storage_key: string;
            } | null;
        };
        readonly DockingPoseResponse: {
            readonly pose: components["schemas"]["DockingPose"];
            readonly uiLinks: {
                readonly studio: string;
            };
        };
        readonly DockingInteractionListResponse: {
            readonly interactions: readonly {
                readonly id: string;
                readonly user_id: string;
                readonly created_at: string;
                readonly pose_id: string;
                readonly type: "hydrogen_bond" | "salt_bridge" | "metal_coordination" | "halogen_bond" | "pi_stacking" | "pi_cation" | "water_bridge" | "hydrophobic";
                readonly ligand_role: "donor" | "acceptor" | null;
                readonly receptor: {
                    readonly chain: string;
                    readonly residue: number;
                    readonly insertion_code: string | null;
                    readonly residue_name: string;
                    readonly atom: string;
                };
                readonly ligand_atoms: readonly number[];
                readonly distance_angstrom: number;
                readonly angle_degrees: number | null;
                readonly water: {
                    readonly chain: string;
                    readonly residue: number;
                    readonly insertion_code: string | null;
                    readonly residue_name: string;
                    readonly distance_angstrom: number;
                } | null;
            }[];
            readonly computed: boolean;
            readonly uiLinks: {
                readonly studio: string;
            };
            readonly nextCursor: string | null;
        };
        readonly DockingExportResponse: {
            readonly export: {
                readonly id: string;
                readonly user_id: string;
                readonly created_at: string;
                readonly batch_id: string | null;
                readonly run_id: string | null;
                readonly format: "csv" | "sdf" | "parquet" | "smi";
                readonly query: {
                    readonly sort: string;
                    readonly affinityAtMost?: number;
                    readonly warning?: string;
                    readonly label?: string;
                    readonly descriptor?: readonly string[];
                    readonly smarts?: string;
                    readonly interaction?: readonly string[];
                    readonly maxMissing?: number;
                    readonly status?: "SUCCEEDED" | "FAILED" | "CANCELLED";
                    readonly topN?: number;
                    readonly diverse?: number;
                    readonly poses?: "best" | "all";
                };
                readonly status: "QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED";
                readonly result_count: number;
                readonly complete: boolean;
                readonly started_at: string | null;
                readonly finished_at: string | null;
                readonly artifact: {
                    readonly artifact_id: string;
                    readonly name: string;
                    readonly kind: string;
                    readonly media_type: string;
                    readonly format: string | null;
                    readonly byte_size: number;
                    readonly sha256: string;
                    readonly storage_key: string;
                } | null;
                readonly beside: readonly {
                    readonly artifact_id: string;
                    readonly name: string;
                    readonly kind: string;
                    readonly media_type: string;
                    readonly format: string | null;
                    readonly byte_size: number;
                    readonly sha256: string;
                    readonly storage_key: string;
                }[];
                readonly failure: {
                    readonly code: string | ("EXPORT_SOURCE_CHANGED" | "EXPORT_CANCELLED" | "EXPORT_NOT_MADE");
                    readonly message: string;
                } | null;
            };
            readonly uiLinks: {
                readonly studio: string;
            };
        };
        readonly InspectionResponse: {
            readonly inspectionId: string;
            readonly status: "RUNNING" | "SUCCEEDED";
            readonly createdAt: string;
            readonly message: string | null;
            readonly report: object | null;
        };
        readonly DockingExperimentResponse: {
            readonly experiment: {
                readonly id: string;
                readonly user_id: string;
                readonly created_at: string;
                readonly name: string;
                readonly receptor_artifact_id: string | null;
                readonly receptor_identity: object | null;
                readonly ligand_artifact_id: string | null;
                readonly ligand_identity: object | null;
                readonly parameters: object | null;
            };
            readonly uiLinks: {
                readonly studio: string;
            };
        };
        readonly DockingExperimentListResponse: {
            readonly experiments: readonly components["schemas"]["DockingExperimentResponse"][];
            readonly nextCursor: string | null;
        };
        readonly DockingRunResponse: {
            readonly run: {
                readonly id: string;
                readonly user_id: string;
                readonly created_at: string;
                readonly experiment_id: string | null;
                readonly batch_id: string | null;
                readonly number: number;
                readonly job_id: string;
                readonly request_id: string;
                readonly status: components["schemas"]["JobState"];
                readonly engine: {
                    readonly name: string;
                    readonly version: string | null;
                    readonly toolchain_sha256: string | null;
                    readonly worker_image_digest: string | null;
                };
                readonly seed_requested: number | null;
                readonly seed_effective: number | null;
                readonly reuse: "verified" | "never";
                readonly prepared_receptor: object | null;
                readonly box: {
                    readonly center: readonly number[];
                    readonly size: readonly number[];
                } | null;
                readonly counts: {
                    readonly total: number;
                    readonly succeeded: number;
                    readonly failed: number;
                    readonly running: number;
                    readonly pending: number;
                    readonly cancelled: number;
                };
                readonly best_affinity_kcal_mol: number | null;
                readonly failure: {
                    readonly code: components["schemas"]["FailureCode"];
                    readonly message: string;
                    readonly stage: string;
                } | null;
                readonly started_at: string | null;
                readonly finished_at: string | null;
            };
            readonly jobId: string;
            readonly uiLinks: {
                readonly studio: string;
            };
            readonly idempotentReplay?: boolean;
        };
        readonly DockingRunListResponse: {
            readonly runs: readonly components["schemas"]["DockingRunResponse"][];
            readonly nextCursor: string | null;
        };
        readonly DockingBatchResponse: {
            readonly batch: {
                readonly id: string;
                readonly user_id: string;
                readonly created_at: string;
                readonly name: string;
                readonly engine: string;
                readonly job_id: string;
                readonly run_id: string;
                readonly runs: number;
                readonly status: components["schemas"]["JobState"];
                readonly receptor_artifact_id: string | null;
                readonly receptor_identity: object | null;
                readonly parameters: object | null;
                readonly library_id: string | null;
                readonly library_sha256: string;
                readonly ligand_count: number;
                readonly shard_size: number;
                readonly reuse: "verified" | "never";
                readonly dry_run: boolean;
                readonly stop_when: {
                    readonly topN: number;
                    readonly unchangedFor: number;
                } | null;
                readonly stopped_at: {
                    readonly ligand_id: string;
                    readonly place: number;
                } | null;
                readonly sample: boolean;
                readonly ligand_preparation: object | null;
                readonly warnings: readonly {
                    readonly code: components["schemas"]["WarningCode"];
                    readonly message: string;
                }[];
                readonly reproducibility?: {
                    readonly same_seed: {
                        readonly status: components["schemas"]["JobState"];
                        readonly seed: number | null;
                        readonly ligands: number;
                        readonly compared: number;
                        readonly same_cpu_class: number;
                        readonly identical_share: number | null;
                        readonly within_share: number | null;
                        readonly failure: {
                            readonly code: components["schemas"]["FailureCode"];
                            readonly message: string;
                            readonly stage: string;
                        } | null;
                    } | null;
                    readonly other_seed: {
                        readonly status: components["schemas"]["JobState"];
                        readonly seed: number | null;
                        readonly ligands: number;
                        readonly compared: number;
                        readonly same_cpu_class: number;
                        readonly identical_share: number | null;
                        readonly within_share: number | null;
                        readonly failure: {
                            readonly code: components["schemas"]["FailureCode"];
                            readonly message: string;
                            readonly stage: string;
                        } | null;
                    } | null;
                };
                readonly enrichment?: {
                    readonly column: string;
                    readonly ligands: number;
                    readonly actives: number;
                    readonly unmarked: number;
                    readonly roc_auc: number;
                    readonly roc_auc_interval: readonly number[];
                    readonly enrichment_1_percent: number;
                    readonly enrichment_5_percent: number;
                    readonly bedroc: number;
                };
                readonly dry_run_report?: {
                    readonly ligands: number;
                    readonly ready: number;
                    readonly failures: {
                        readonly [key: string]: number;
                    };
                    readonly warnings: {
                        readonly [key: string]: number;
                    };
                    readonly states: {
                        readonly [key: string]: number;
                    };
                    readonly price: {
                        readonly estimated_cost: number;
                        readonly currency: string;
                        readonly credit_currency: string;
                        readonly fx_rate: number;
                        readonly held_cents: number;
                    } | null;
                };
                readonly counts: {
                    readonly total: number;
                    readonly succeeded: number;
                    readonly failed: number;
                    readonly running: number;
                    readonly pending: number;
                    readonly cancelled: number;
                };
                readonly best_affinity_kcal_mol: number | null;
                readonly failure: {
                    readonly code: components["schemas"]["FailureCode"];
                    readonly message: string;
                    readonly stage: string;
                } | null;
                readonly started_at: string | null;
                readonly finished_at: string | null;
            };
            readonly jobId: string;
            readonly uiLinks: {
                readonly studio: string;
            };
            readonly idempotentReplay?: boolean;
        };
        readonly DockingBatchListResponse: {
            readonly batches: readonly components["schemas"]["DockingBatchResponse"][];
            readonly nextCursor: string | null;
        };
        readonly ProjectListResponse: {
            readonly projects: readonly components["schemas"]["ProjectResponse"][];
            readonly nextCursor: string | null;
        };
        readonly ProjectResponse: {
            readonly id: string;
            readonly name: string;
            readonly description: string;
            readonly currentVersion: number;
            readonly contentSha256: string;
            readonly createdAt: string;
            readonly updatedAt: string;
            readonly share: {
                readonly shareId: string;
                readonly version: number;
                readonly token: string;
                readonly link: string;
                readonly createdAt: string;
            } | null;
            readonly shares: readonly {
                readonly shareId: string;
                readonly version: number;
                readonly token: string;
                readonly link: string;
                readonly createdAt: string;
            }[];
        };
        readonly ProjectContentResponse: {
            readonly id: string;
            readonly name: string;
            readonly description: string;
            readonly currentVersion: number;
            readonly contentSha256: string;
            readonly createdAt: string;
            readonly updatedAt: string;
            readonly share: {
                readonly shareId: string;
                readonly version: number;
                readonly token: string;
                readonly link: string;
                readonly createdAt: string;
            } | null;
            readonly shares: readonly {
                readonly shareId: string;
                readonly version: number;
                readonly token: string;
                readonly link: string;
                readonly createdAt: string;
            }[];
            readonly content: object;
        };
        readonly RevisionListResponse: {
            readonly revisions: readonly {
                readonly projectId: string;
                readonly version: number;
                readonly contentSha256: string;
                readonly byteSize: number;
                readonly message: string;
                readonly sourceVersion: number | null;
                readonly createdAt: string;
            }[];
            readonly nextCursor: string | null;
        };
        readonly RevisionResponse: {
            readonly projectId: string;
            readonly version: number;
            readonly contentSha256: string;
            readonly byteSize: number;
            readonly message: string;
            readonly sourceVersion: number | null;
            readonly createdAt: string;
            readonly content: object;
        };
        readonly SignedRevisionReceipt: {
            readonly receipt: {
                readonly schema: "dockyard.revision-receipt/v1";
                readonly issuer: string;
                readonly projectId: string;
                readonly version: number;
                readonly sourceVersion: number | null;
                readonly savedAt: string;
                readonly contentSha256: string;
                readonly byteSize: number;
                readonly sources: readonly {
                    readonly artifactId: string;
                    readonly name: string;
                    readonly byteSize: number;
                    readonly sha256: string;
                    readonly jobId: string | null;
                }[];
                readonly structures: readonly {
                    readonly pdbId: string;
                    readonly sha256: string;
                }[];
                readonly missing: readonly string[];
                readonly jobs: readonly {
                    readonly jobId: string;
                    readonly requestSha256: string;
                    readonly receipts: readonly {
                        readonly execution: number;
                        readonly sha256: string;
                    }[];
                }[];
            };
            readonly signature: {
                readonly algorithm: "Ed25519";
                readonly keyId: string;
                readonly value: string;
            };
        };
        readonly SharedRevisionResponse: {
            readonly name: string;
            readonly description: string;
            readonly version: number;
            readonly contentSha256: string;
            readonly byteSize: number;
            readonly createdAt: string;
            readonly content: object;
        };
        readonly EventListResponse: {
            readonly events: readonly {
                readonly id: string;
                readonly type: string;
                readonly timestamp: string;
                readonly data: object;
            }[];
            readonly nextCursor: string;
        };
        readonly WebhookListResponse: {
            readonly webhooks: readonly components["schemas"]["Webhook"][];
            readonly nextCursor: string | null;
        };
        readonly Webhook: {
            readonly id: string;
            readonly url: string;
            readonly types: readonly string[];
            readonly enabled: boolean;
            readonly disabledReason: "GONE" | "FAILING" | null;
            readonly failingSince: string | null;
            readonly createdBy: string;
            readonly createdAt: string;
            readonly updatedAt: string;
        };
        readonly CreatedWebhook: {
            readonly id: string;
            readonly url: string;
            readonly types: readonly string[];
            readonly enabled: boolean;
            readonly disabledReason: "GONE" | "FAILING" | null;
            readonly failingSince: string | null;
            readonly createdBy: string;
            readonly createdAt: string;
            readonly updatedAt: string;
            readonly secret: string;
            readonly sameAs: string | null;
        };
        readonly WebhookDelivery: {
            readonly id: string;
            readonly webhookId: string;
            readonly eventId: string;
            readonly type: string;
            readonly state: "PENDING" | "SUCCEEDED" | "FAILED" | "SKIPPED";
            readonly attempt: number;
            readonly status: number | null;
            readonly code: components["schemas"]["OutboundFault"];
            readonly durationMs: number | null;
            readonly attemptedAt: string | null;
            readonly nextAttemptAt: string | null;
            readonly createdAt: string;
        };
        readonly OutboundFault: ((string | ("HOST_INVALID" | "PORT_REFUSED" | "ADDRESS_REFUSED" | "NAME_UNKNOWN" | "CONNECTION_FAILED" | "TIMED_OUT" | "TLS_FAILED" | "REDIRECTED" | "CREDENTIALS_REFUSED" | "ANSWER_UNEXPECTED") | (string | null)) | null) | ("HOST_INVALID" | "PORT_REFUSED" | "ADDRESS_REFUSED" | "NAME_UNKNOWN" | "CONNECTION_FAILED" | "TIMED_OUT" | "TLS_FAILED" | "REDIRECTED" | "CREDENTIALS_REFUSED" | "ANSWER_UNEXPECTED") | (string | null);
        readonly RotatedWebhookSecret: {
            readonly secret: string;
        };
        readonly WebhookDeliveryListResponse: {
            readonly deliveries: readonly components["schemas"]["WebhookDelivery"][];
            readonly nextCursor: string | null;
        };
        readonly WebhookDeliveryResponse: {
            readonly id: string;
            readonly webhookId: string;
            readonly eventId: string;
            readonly type: string;
            readonly state: "PENDING" | "SUCCEEDED" | "FAILED" | "SKIPPED";
            readonly attempt: number;
            readonly status: number | null;
            readonly code: components["schemas"]["OutboundFault"];
            readonly durationMs: number | null;
            readonly attemptedAt: string | null;
            readonly nextAttemptAt: string | null;
            readonly createdAt: string;
            readonly request: {
                readonly url: string;
                readonly body: string;
            };
            readonly answer: string | null;
        };
        readonly RedeliveredWebhooks: {
            readonly redelivered: number;
            readonly more: boolean;
        };
        readonly ConversionResponse: {
            readonly conversionId: string;
            readonly status: "RUNNING" | "SUCCEEDED";
            readonly createdAt: string;
            readonly message: string | null;
            readonly artifact: {
                readonly schema: "svc.docking.artifact/v1";
                readonly artifactId: string;
                readonly storageKey: string;
                readonly sha256: string;
                readonly byteSize: number;
                readonly mediaType: string;
                readonly format: "pdb" | "mmcif" | "pdbqt" | "sdf" | "mol2" | "json" | "log" | "mvsx" | "mvsj";
            } | null;
            readonly warnings: readonly {
                readonly code: components["schemas"]["WarningCode"];
                readonly message: string;
            }[];
        };
        readonly SimulatorListResponse: {
            readonly simulators: readonly {
                readonly id: string;
                readonly aliases: readonly string[];
                readonly jobType: string;
                readonly title: string;
                readonly available: boolean;
                readonly reason: "MACHINES_NOT_READY" | "PACK_NOT_INSTALLED" | "MODEL_NOT_INSTALLED" | "DATABASE_NOT_INSTALLED" | "GPU_REQUIRED" | null;
                readonly version: string | null;
                readonly packDigest: string | null;
                readonly variants: readonly {
                    readonly name: string;
                    readonly version: string | null;
                    readonly packDigest: string | null;
                }[];
                readonly unit: "frame" | "task" | "ligand";
                readonly priceModel: "fixed" | "measured";
                readonly licence: {
                    readonly name: string;
                    readonly url: string;
                };
                readonly needsSceneFile: boolean;
                readonly parameters: readonly string[];
            }[];
            readonly nextCursor: string | null;
        };
        readonly AccountResponse: {
            readonly user: {
                readonly id: string;
                readonly email: string;
            };
            readonly account: {
                readonly id: string;
                readonly plan: "free" | "pro";
                readonly role: "owner" | "member";
                readonly openedAt: string;
            };
            readonly session: {
                readonly id: string;
                readonly expiresAt: string;
                readonly recentUntil: string;
            };
            readonly installation: {
                readonly signInProvider: boolean;
                readonly payments: boolean;
                readonly welcomeCents: number;
                readonly uploadOrigin: string;
            };
        };
        readonly MailSentResponse: {
            readonly message: string;
        };
        readonly SignInResponse: {
            readonly sessionId: string;
            readonly user: {
                readonly id: string;
                readonly email: string;
            };
            readonly account: {
                readonly id: string;
                readonly plan: "free" | "pro";
                readonly role: "owner" | "member";
            };
            readonly expiresAt: string;
        };
        readonly EndedSession: {
            readonly id: string;
            readonly endedAt: string;
        };
        readonly SessionListResponse: {
            readonly sessions: readonly {
                readonly id: string;
                readonly current: boolean;
                readonly address: string;
                readonly userAgent: string | null;
                readonly createdAt: string;
                readonly lastSeenAt: string;
                readonly expiresAt: string;
            }[];
            readonly nextCursor: string | null;
        };
        readonly TotpState: {
            readonly enabled: boolean;
            readonly recoveryCodesLeft: number;
        };
        readonly CliApproval: {
            readonly code: string;
            readonly expiresInSeconds: number;
        };
        readonly MemberListResponse: {
            readonly members: readonly components["schemas"]["Member"][];
            readonly nextCursor: string | null;
        };
        readonly Member: {
            readonly userId: string;
            readonly email: string;
            readonly role: "owner" | "member";
            readonly current: boolean;
        };
        readonly Invitation: {
            readonly id: string;
            readonly email: string;
            readonly role: "owner" | "member";
            readonly status: "OPEN" | "ACCEPTED" | "EXPIRED" | "ENDED";
            readonly invitedBy: string;
            readonly createdAt: string;
            readonly expiresAt: string;
        };
        readonly InvitationListResponse: {
            readonly invitations: readonly components["schemas"]["Invitation"][];
            readonly nextCursor: string | null;
        };
        readonly LeftMember: {
            readonly userId: string;
            readonly email: string;
            readonly endedSessions: number;
            readonly keys: readonly components["schemas"]["ApiKey"][];
        };
        readonly ApiKey: {
            readonly id: string;
            readonly name: string;
            readonly environment: "live" | "test";
            readonly scopes: readonly ("jobs:read" | "jobs:write" | "credits:read" | "convert" | "molecular:chat" | "projects:read" | "projects:write")[];
            readonly prefix: string;
            readonly last4: string;
            readonly status: "ACTIVE" | "EXPIRED" | "REVOKED";
            readonly createdBy: string;
            readonly createdAt: string;
            readonly lastUsedAt: string | null;
            readonly expiresAt: string | null;
            readonly revokedAt: string | null;
            readonly monthlyLimitCents: number | null;
            readonly monthSpentCents: number | null;
            readonly monthRestCents: number | null;
            readonly allowedCidrs: readonly string[] | null;
        };
        readonly JoinedAccount: {
            readonly email: string;
            readonly account: {
                readonly id: string;
                readonly role: "owner" | "member";
            };
        };
        readonly ApiKeyListResponse: {
            readonly keys: readonly components["schemas"]["ApiKey"][];
            readonly nextCursor: string | null;
        };
        readonly IssuedApiKey: {
            readonly id: string;
            readonly name: string;
            readonly environment: "live" | "test";
            readonly scopes: readonly ("jobs:read" | "jobs:write" | "credits:read" | "convert" | "molecular:chat" | "projects:read" | "projects:write")[];
            readonly prefix: string;
            readonly last4: string;
            readonly status: "ACTIVE" | "EXPIRED" | "REVOKED";
            readonly createdBy: string;
            readonly createdAt: string;
            readonly lastUsedAt: string | null;
            readonly expiresAt: string | null;
            readonly revokedAt: string | null;
            readonly monthlyLimitCents: number | null;
            readonly monthSpentCents: number | null;
            readonly monthRestCents: number | null;
            readonly allowedCidrs: readonly string[] | null;
            readonly key: string;
        };
        readonly RevokedApiKey: {
            readonly id: string;
            readonly status: "REVOKED";
            readonly revokedAt: string;
        };
        readonly RotatedApiKey: {
            readonly id: string;
            readonly name: string;
            readonly environment: "live" | "test";
            readonly scopes: readonly ("jobs:read" | "jobs:write" | "credits:read" | "convert" | "molecular:chat" | "projects:read" | "projects:write")[];
            readonly prefix: string;
            readonly last4: string;
            readonly status: "ACTIVE" | "EXPIRED" | "REVOKED";
            readonly createdBy: string;
            readonly createdAt: string;
            readonly lastUsedAt: string | null;
            readonly expiresAt: string | null;
            readonly revokedAt: string | null;
            readonly monthlyLimitCents: number | null;
            readonly monthSpentCents: number | null;
            readonly monthRestCents: number | null;
            readonly allowedCidrs: readonly string[] | null;
            readonly key: string;
            readonly replaces: {
                readonly id: string;
                readonly expiresAt: string;
            };
        };
        readonly LicenseServerListResponse: {
            readonly licenseServers: readonly components["schemas"]["LicenseServer"][];
            readonly nextCursor: string | null;
        };
        readonly LicenseServer: {
            readonly id: string;
            readonly name: string;
            readonly software: string;
            readonly protocol: "tcp" | "http" | "https";
            readonly host: string;
            readonly port: number;
            readonly hasSecret: boolean;
            readonly createdBy: string;
            readonly createdAt: string;
            readonly updatedAt: string;
        };
        readonly LicenseServerTestResponse: {
            readonly ok: boolean;
            readonly code: components["schemas"]["OutboundFault"];
        };
        readonly BillingSettings: {
            readonly plan: "free" | "pro";
            readonly allowanceEndsAt: string | null;
            readonly spending: {
                readonly startsAt: string;
                readonly endsAt: string;
                readonly spentCents: number;
                readonly restCents: number | null;
                readonly keys: readonly {
                    readonly keyId: string;
                    readonly spentCents: number;
                    readonly restCents: number | null;
                }[];
            };
            readonly creditCurrency: string;
            readonly jobLimitCents: number | null;
            readonly monthLimitCents: number | null;
            readonly lowBalanceCents: number | null;
            readonly memberKeysLimitCents: number | null;
            readonly autoTopUp: {
                readonly tierId: string;
                readonly belowCents: number;
                readonly monthLimitCents: number;
                readonly state: "on" | "paused";
                readonly pausedFor: "NO_PAYMENT_METHOD" | "AUTHENTICATION_REQUIRED" | "CARD_DECLINED" | null;
            } | null;
            readonly keyLimits: readonly {
                readonly keyId: string;
                readonly monthLimitCents: number;
            }[];
        };
        readonly NotificationSettings: {
            readonly accountLimit: boolean;
            readonly keyLimit: boolean;
            readonly lowBalance: boolean;
        };
        readonly HostedPage: {
            readonly url: string;
        };
        readonly AuditListResponse: {
            readonly entries: readonly {
                readonly id: string;
                readonly at: string;
                readonly action: string;
                readonly subject: string;
                readonly author: {
                    readonly kind: "key" | "session" | "visitor" | "operator" | "payments";
                    readonly id: string | null;
                    readonly userId: string | null;
                    readonly email: string | null;
                };
                readonly address: string | null;
                readonly before: object | null;
                readonly after: object | null;
            }[];
            readonly nextCursor: string | null;
        };
        readonly Answers: {
            readonly submitJob: components["schemas"]["SubmitJobResponse"];
            readonly listJobs: components["schemas"]["JobListResponse"];
            readonly getJobSummary: {
                readonly open: number;
                readonly byStatus: {
                    readonly SUBMITTED: number;
                    readonly QUEUED: number;
                    readonly PROVISIONING: number;
                    readonly RUNNING: number;
                    readonly RECOVERING: number;
                    readonly PAUSED: number;
                    readonly FINALIZING: number;
                    readonly CANCELLING: number;
                    readonly SUCCEEDED: number;
                    readonly PARTIALLY_SUCCEEDED: number;
                    readonly FAILED: number;
                    readonly CANCELLED: number;
                };
            };
            readonly getJobStatus: components["schemas"]["JobStatusResponse"];
            readonly getJobRequest: components["schemas"]["JobRequestResponse"];
            readonly getJobBill: components["schemas"]["JobBillResponse"];
            readonly listTasks: components["schemas"]["TaskListResponse"];
            readonly listRecoveries: components["schemas"]["RecoveryListResponse"];
            readonly listOutputs: components["schemas"]["OutputListResponse"];
            readonly cancelJob: components["schemas"]["CancelJobResponse"];
            readonly resumeJob: components["schemas"]["ResumeJobResponse"];
            readonly getJobReceipt: components["schemas"]["SignedReceipt"];
            readonly getDockingRunReceipt: components["schemas"]["SignedReceipt"];
            readonly listReceiptKeys: components["schemas"]["ReceiptKeyList"];
            readonly estimateJob: components["schemas"]["EstimateJobResponse"];
            readonly getPublicPrices: components["schemas"]["PublicPricesResponse"];
            readonly getPublicPricesOfVersion: components["schemas"]["PublicPricesResponse"];
            readonly estimatePublicly: components["schemas"]["PublicEstimateResponse"];
            readonly createUploadUrl: components["schemas"]["UploadUrlResponse"];
            readonly initMultipartUpload: components["schemas"]["MultipartInitResponse"];
            readonly listUploads: components["schemas"]["UploadListResponse"];
            readonly getUploadUsage: components["schemas"]["UploadUsageResponse"];
            readonly getMultipartUpload: components["schemas"]["MultipartStatusResponse"];
            readonly createPartUrls: components["schemas"]["MultipartPartUrlsResponse"];
            readonly completeMultipartUpload: components["schemas"]["MultipartCompleteResponse"];
            readonly getCreditBalance: components["schemas"]["CreditBalanceResponse"];
            readonly listCreditTransactions: components["schemas"]["TransactionListResponse"];
            readonly getCreditUsage: components["schemas"]["CreditUsageResponse"];
            readonly listCreditStatements: components["schemas"]["StatementListResponse"];
            readonly getCreditStatement: components["schemas"]["StatementResponse"];
            readonly listCreditTiers: components["schemas"]["TierListResponse"];
            readonly startTopup: components["schemas"]["TopupStartedResponse"];
            readonly listTopups: {
                readonly topups: readonly components["schemas"]["TopupResponse"][];
                readonly nextCursor: string | null;
            };
            readonly getTopup: components["schemas"]["TopupResponse"];
            readonly registerDockingArtifact: components["schemas"]["ArtifactResponse"];
            readonly getDockingArtifact: components["schemas"]["ArtifactResponse"];
            readonly createDockingArtifactDownloadUrl: components["schemas"]["DownloadUrlResponse"];
            readonly resolveLigand: components["schemas"]["ResolveLigandResponse"];
            readonly listDockingBatchResults: components["schemas"]["DockingResultListResponse"];
            readonly listDockingRunResults: components["schemas"]["DockingResultListResponse"];
            readonly listDockingBatchFailures: components["schemas"]["DockingFailureListResponse"];
            readonly getDockingResult: components["schemas"]["DockingResultResponse"];
            readonly listDockingPoses: components["schemas"]["DockingPoseListResponse"];
            readonly getDockingPose: components["schemas"]["DockingPoseResponse"];
            readonly listDockingInteractions: components["schemas"]["DockingInteractionListResponse"];
            readonly getDockingBatchScene: {
                readonly kind: "single" | "multiple";
                readonly metadata: object;
                readonly root?: object;
                readonly snapshots?: readonly {
                    readonly metadata: object;
                    readonly root: object;
                }[];
            };
            readonly exportDockingBatchScene: {
                readonly kind: "single" | "multiple";
                readonly metadata: object;
                readonly root?: object;
                readonly snapshots?: readonly {
                    readonly metadata: object;
                    readonly root: object;
                }[];
            };
            readonly getDockingRunScene: {
                readonly kind: "single" | "multiple";
                readonly metadata: object;
                readonly root?: object;
                readonly snapshots?: readonly {
                    readonly metadata: object;
                    readonly root: object;
                }[];
            };
            readonly exportDockingRunScene: {
                readonly kind: "single" | "multiple";
                readonly metadata: object;
                readonly root?: object;
                readonly snapshots?: readonly {
                    readonly metadata: object;
                    readonly root: object;
                }[];
            };
            readonly getDockingResultScene: {
                readonly kind: "single" | "multiple";
                readonly metadata: object;
                readonly root?: object;
                readonly snapshots?: readonly {
                    readonly metadata: object;
                    readonly root: object;
                }[];
            };
            readonly exportDockingResultScene: {
                readonly kind: "single" | "multiple";
                readonly metadata: object;
                readonly root?: object;
                readonly snapshots?: readonly {
                    readonly metadata: object;
                    readonly root: object;
                }[];
            };
            readonly getDockingPoseScene: {
                readonly kind: "single" | "multiple";
                readonly metadata: object;
                readonly root?: object;
                readonly snapshots?: readonly {
                    readonly metadata: object;
                    readonly root: object;
                }[];
            };
            readonly exportDockingPoseScene: {
                readonly kind: "single" | "multiple";
                readonly metadata: object;
                readonly root?: object;
                readonly snapshots?: readonly {
                    readonly metadata: object;
                    readonly root: object;
                }[];
            };
            readonly exportDockingBatch: components["schemas"]["DockingExportResponse"];
            readonly exportDockingRun: components["schemas"]["DockingExportResponse"];
            readonly getDockingExport: components["schemas"]["DockingExportResponse"];
            readonly inspectReceptor: components["schemas"]["InspectionResponse"];
            readonly getReceptorInspection: components["schemas"]["InspectionResponse"];
            readonly createDockingExperiment: components["schemas"]["DockingExperimentResponse"];
            readonly listDockingExperiments: components["schemas"]["DockingExperimentListResponse"];
            readonly getDockingExperiment: components["schemas"]["DockingExperimentResponse"];
            readonly createDockingRun: components["schemas"]["DockingRunResponse"];
            readonly listDockingRuns: components["schemas"]["DockingRunListResponse"];
            readonly getDockingRun: components["schemas"]["DockingRunResponse"];
            readonly cancelDockingRun: components["schemas"]["DockingRunResponse"];
            readonly createDockingBatch: components["schemas"]["DockingBatchResponse"];
            readonly listDockingBatches: components["schemas"]["DockingBatchListResponse"];
            readonly getDockingBatch: components["schemas"]["DockingBatchResponse"];
            readonly cancelDockingBatch: components["schemas"]["DockingBatchResponse"];
            readonly retryFailedDocking: components["schemas"]["DockingRunResponse"];
            readonly listProjects: components["schemas"]["ProjectListResponse"];
            readonly createProject: components["schemas"]["ProjectResponse"];
            readonly getProject: components["schemas"]["ProjectContentResponse"];
            readonly saveProject: components["schemas"]["ProjectResponse"];
            readonly listProjectRevisions: components["schemas"]["RevisionListResponse"];
            readonly getProjectRevision: components["schemas"]["RevisionResponse"];
            readonly restoreProjectRevision: components["schemas"]["ProjectResponse"];
            readonly shareProject: components["schemas"]["ProjectResponse"];
            readonly revokeProjectShares: components["schemas"]["ProjectResponse"];
            readonly getProjectRevisionReceipt: components["schemas"]["SignedRevisionReceipt"];
            readonly exportProjectRevision: {
                readonly kind: "single" | "multiple";
                readonly metadata: object;
                readonly root?: object;
                readonly snapshots?: readonly {
                    readonly metadata: object;
                    readonly root: object;
                }[];
            };
            readonly getSharedRevision: components["schemas"]["SharedRevisionResponse"];
            readonly readStructure: {
                readonly pdbId: string;
                readonly status: "FETCHING";
                readonly message: string;
            };
            readonly getMolecularAssetFacts: {
                readonly models: number;
                readonly assemblies: readonly string[];
                readonly atoms: number;
                readonly residues: number;
                readonly waters: number;
                readonly chains: readonly {
                    readonly id: string;
                    readonly residues: number;
                    readonly first: number;
                    readonly last: number;
                }[];
                readonly ligands: readonly {
                    readonly componentId: string;
                    readonly chain: string;
                    readonly residue: number;
                    readonly insertionCode: string;
                    readonly atoms: number;
                }[];
                readonly ligandCount: number;
            };
            readonly getStructureFacts: {
                readonly models: number;
                readonly assemblies: readonly string[];
                readonly atoms: number;
                readonly residues: number;
                readonly waters: number;
                readonly chains: readonly {
                    readonly id: string;
                    readonly residues: number;
                    readonly first: number;
                    readonly last: number;
                }[];
                readonly ligands: readonly {
                    readonly componentId: string;
                    readonly chain: string;
                    readonly residue: number;
                    readonly insertionCode: string;
                    readonly atoms: number;
                }[];
                readonly ligandCount: number;
            };
            readonly readEvents: components["schemas"]["EventListResponse"];
            readonly listWebhooks: components["schemas"]["WebhookListResponse"];
            readonly createWebhook: components["schemas"]["CreatedWebhook"];
            readonly getWebhook: components["schemas"]["Webhook"];
            readonly changeWebhook: components["schemas"]["Webhook"];
            readonly testWebhook: components["schemas"]["WebhookDelivery"];
            readonly rotateWebhookSecret: components["schemas"]["RotatedWebhookSecret"];
            readonly enableWebhook: components["schemas"]["Webhook"];
            readonly listWebhookDeliveries: components["schemas"]["WebhookDeliveryListResponse"];
            readonly getWebhookDelivery: components["schemas"]["WebhookDeliveryResponse"];
            readonly redeliverWebhookDelivery: components["schemas"]["WebhookDelivery"];
            readonly redeliverFailedWebhookDeliveries: components["schemas"]["RedeliveredWebhooks"];
            readonly convertFile: components["schemas"]["ConversionResponse"];
            readonly getConversion: components["schemas"]["ConversionResponse"];
            readonly listSimulators: components["schemas"]["SimulatorListResponse"];
            readonly getInstallation: {
                readonly signInProvider: boolean;
                readonly payments: boolean;
                readonly welcomeCents: number;
                readonly uploadOrigin: string;
            };
            readonly getAccount: components["schemas"]["AccountResponse"];
            readonly closeAccount: {
                readonly accountId: string;
                readonly keysRevoked: number;
            };
            readonly signUp: components["schemas"]["MailSentResponse"];
            readonly verifyAddress: {
                readonly email: string;
            };
            readonly signIn: components["schemas"]["SignInResponse"];
            readonly signOut: components["schemas"]["EndedSession"];
            readonly forgotPassword: components["schemas"]["MailSentResponse"];
            readonly listSessions: components["schemas"]["SessionListResponse"];
            readonly endSessions: {
                readonly ended: number;
            };
            readonly endSession: components["schemas"]["EndedSession"];
            readonly oidcCallback: components["schemas"]["SignInResponse"];
            readonly finishOidc: components["schemas"]["SignInResponse"];
            readonly getSecondFactor: components["schemas"]["TotpState"];
            readonly beginSecondFactor: {
                readonly secret: string;
                readonly uri: string;
            };
            readonly confirmSecondFactor: {
                readonly recoveryCodes: readonly string[];
            };
            readonly disableSecondFactor: components["schemas"]["TotpState"];
            readonly approveCli: components["schemas"]["CliApproval"];
            readonly beginCliSession: components["schemas"]["SignInResponse"];
            readonly listMembers: components["schemas"]["MemberListResponse"];
            readonly inviteMember: components["schemas"]["Invitation"];
            readonly listInvitations: components["schemas"]["InvitationListResponse"];
            readonly endInvitation: components["schemas"]["Invitation"];
            readonly changeMember: components["schemas"]["Member"];
            readonly removeMember: components["schemas"]["LeftMember"];
            readonly acceptInvitation: components["schemas"]["JoinedAccount"];
            readonly listApiKeys: components["schemas"]["ApiKeyListResponse"];
            readonly createApiKey: components["schemas"]["IssuedApiKey"];
            readonly revokeThisApiKey: components["schemas"]["RevokedApiKey"];
            readonly revokeApiKey: components["schemas"]["RevokedApiKey"];
            readonly rotateApiKey: components["schemas"]["RotatedApiKey"];
            readonly listLicenseServers: components["schemas"]["LicenseServerListResponse"];
            readonly addLicenseServer: components["schemas"]["LicenseServer"];
            readonly getLicenseServer: components["schemas"]["LicenseServer"];
            readonly changeLicenseServer: components["schemas"]["LicenseServer"];
            readonly testLicenseServer: components["schemas"]["LicenseServerTestResponse"];
            readonly getBillingSettings: components["schemas"]["BillingSettings"];
            readonly setBillingSettings: components["schemas"]["BillingSettings"];
            readonly getNotificationSettings: components["schemas"]["NotificationSettings"];
            readonly setNotificationSettings: components["schemas"]["NotificationSettings"];
            readonly subscribe: components["schemas"]["HostedPage"];
            readonly openBillingPortal: components["schemas"]["HostedPage"];
            readonly listAuditLog: components["schemas"]["AuditListResponse"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type SubmitJobResponse = components['schemas']['SubmitJobResponse'];
export type JobListResponse = components['schemas']['JobListResponse'];
export type JobState = components['schemas']['JobState'];
export type JobStatusResponse = components['schemas']['JobStatusResponse'];
export type PauseReason = components['schemas']['PauseReason'];
export type WaitReason = components['schemas']['WaitReason'];
export type LossCause = components['schemas']['LossCause'];
export type FailureCode = components['schemas']['FailureCode'];
export type WarningCode = components['schemas']['WarningCode'];
export type JobRequestResponse = components['schemas']['JobRequestResponse'];
export type JobBillResponse = components['schemas']['JobBillResponse'];
export type TaskListResponse = components['schemas']['TaskListResponse'];
export type DockedLigandSummary = components['schemas']['DockedLigandSummary'];
export type PocketsSummary = components['schemas']['PocketsSummary'];
export type SearchSummary = components['schemas']['SearchSummary'];
export type SwanSummary = components['schemas']['SwanSummary'];
export type Wavewatch3Summary = components['schemas']['Wavewatch3Summary'];
export type FrameSummary = components['schemas']['FrameSummary'];
export type RecoveryListResponse = components['schemas']['RecoveryListResponse'];
export type RecoveryCause = components['schemas']['RecoveryCause'];
export type OutputListResponse = components['schemas']['OutputListResponse'];
export type OutputItem = components['schemas']['OutputItem'];
export type CancelJobResponse = components['schemas']['CancelJobResponse'];
export type ResumeJobResponse = components['schemas']['ResumeJobResponse'];
export type SignedReceipt = components['schemas']['SignedReceipt'];
export type ReceiptKeyList = components['schemas']['ReceiptKeyList'];
export type EstimateJobResponse = components['schemas']['EstimateJobResponse'];
export type PublicPricesResponse = components['schemas']['PublicPricesResponse'];
export type PublicEstimateResponse = components['schemas']['PublicEstimateResponse'];
export type UploadUrlResponse = components['schemas']['UploadUrlResponse'];
export type MultipartInitResponse = components['schemas']['MultipartInitResponse'];
export type UploadListResponse = components['schemas']['UploadListResponse'];
export type UploadUsageResponse = components['schemas']['UploadUsageResponse'];
export type MultipartStatusResponse = components['schemas']['MultipartStatusResponse'];
export type MultipartPartUrlsResponse = components['schemas']['MultipartPartUrlsResponse'];
export type MultipartCompleteResponse = components['schemas']['MultipartCompleteResponse'];
export type CreditBalanceResponse = components['schemas']['CreditBalanceResponse'];
export type TransactionListResponse = components['schemas']['TransactionListResponse'];
export type CreditUsageResponse = components['schemas']['CreditUsageResponse'];
export type StatementListResponse = components['schemas']['StatementListResponse'];
export type StatementResponse = components['schemas']['StatementResponse'];
export type TierListResponse = components['schemas']['TierListResponse'];
export type TopupStartedResponse = components['schemas']['TopupStartedResponse'];
export type TopupResponse = components['schemas']['TopupResponse'];
export type ArtifactResponse = components['schemas']['ArtifactResponse'];
export type RegisteredArtifact = components['schemas']['RegisteredArtifact'];
export type DownloadUrlResponse = components['schemas']['DownloadUrlResponse'];
export type ResolveLigandResponse = components['schemas']['ResolveLigandResponse'];
export type DockingResultListResponse = components['schemas']['DockingResultListResponse'];
export type DockingResult = components['schemas']['DockingResult'];
export type DockingFailureListResponse = components['schemas']['DockingFailureListResponse'];
export type DockingResultResponse = components['schemas']['DockingResultResponse'];
export type DockingPoseListResponse = components['schemas']['DockingPoseListResponse'];
export type DockingPose = components['schemas']['DockingPose'];
export type DockingPoseResponse = components['schemas']['DockingPoseResponse'];
export type DockingInteractionListResponse = components['schemas']['DockingInteractionListResponse'];
export type DockingExportResponse = components['schemas']['DockingExportResponse'];
export type InspectionResponse = components['schemas']['InspectionResponse'];
export type DockingExperimentResponse = components['schemas']['DockingExperimentResponse'];
export type DockingExperimentListResponse = components['schemas']['DockingExperimentListResponse'];
export type DockingRunResponse = components['schemas']['DockingRunResponse'];
export type DockingRunListResponse = components['schemas']['DockingRunListResponse'];
export type DockingBatchResponse = components['schemas']['DockingBatchResponse'];
export type DockingBatchListResponse = components['schemas']['DockingBatchListResponse'];
export type ProjectListResponse = components['schemas']['ProjectListResponse'];
export type ProjectResponse = components['schemas']['ProjectResponse'];
export type ProjectContentResponse = components['schemas']['ProjectContentResponse'];
export type RevisionListResponse = components['schemas']['RevisionListResponse'];
export type RevisionResponse = components['schemas']['RevisionResponse'];
export type SignedRevisionReceipt = components['schemas']['SignedRevisionReceipt'];
export type SharedRevisionResponse = components['schemas']['SharedRevisionResponse'];
export type EventListResponse = components['schemas']['EventListResponse'];
export type WebhookListResponse = components['schemas']['WebhookListResponse'];
export type Webhook = components['schemas']['Webhook'];
export type CreatedWebhook = components['schemas']['CreatedWebhook'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type OutboundFault = components['schemas']['OutboundFault'];
export type RotatedWebhookSecret = components['schemas']['RotatedWebhookSecret'];
export type WebhookDeliveryListResponse = components['schemas']['WebhookDeliveryListResponse'];
export type WebhookDeliveryResponse = components['schemas']['WebhookDeliveryResponse'];
export type RedeliveredWebhooks = components['schemas']['RedeliveredWebhooks'];
export type ConversionResponse = components['schemas']['ConversionResponse'];
export type SimulatorListResponse = components['schemas']['SimulatorListResponse'];
export type AccountResponse = components['schemas']['AccountResponse'];
export type MailSentResponse = components['schemas']['MailSentResponse'];
export type SignInResponse = components['schemas']['SignInResponse'];
export type EndedSession = components['schemas']['EndedSession'];
export type SessionListResponse = components['schemas']['SessionListResponse'];
export type TotpState = components['schemas']['TotpState'];
export type CliApproval = components['schemas']['CliApproval'];
export type MemberListResponse = components['schemas']['MemberListResponse'];
export type Member = components['schemas']['Member'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationListResponse = components['schemas']['InvitationListResponse'];
export type LeftMember = components['schemas']['LeftMember'];
export type ApiKey = components['schemas']['ApiKey'];
export type JoinedAccount = components['schemas']['JoinedAccount'];
export type ApiKeyListResponse = components['schemas']['ApiKeyListResponse'];
export type IssuedApiKey = components['schemas']['IssuedApiKey'];
export type RevokedApiKey = components['schemas']['RevokedApiKey'];
export type RotatedApiKey = components['schemas']['RotatedApiKey'];
export type LicenseServerListResponse = components['schemas']['LicenseServerListResponse'];
export type LicenseServer = components['schemas']['LicenseServer'];
export type LicenseServerTestResponse = components['schemas']['LicenseServerTestResponse'];
export type BillingSettings = components['schemas']['BillingSettings'];
export type NotificationSettings = components['schemas']['NotificationSettings'];
export type HostedPage = components['schemas']['HostedPage'];
export type AuditListResponse = components['schemas']['AuditListResponse'];
export type Answers = components['schemas']['Answers'];
