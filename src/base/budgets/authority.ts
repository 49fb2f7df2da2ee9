import { createBudget, KiB } from './budget.ts'

/** Budgets of certificate authority requests. */
// biome-ignore format: one line per budget
export const authorityBudgets = {
  keyBits: createBudget(2048, 'bits', 'minimum size of an RSA key in a certificate request; EC keys may be P-256, P-384 or P-521', 'shorter keys can be broken (NIST SP 800-131A)', '400, or 409 if an administrator signs the request', 'minimum_keylength'),
  longestKeyBits: createBudget(8192, 'bits', 'maximum size of an RSA key in a certificate request', 'each peer verifies a signature by this key at each handshake, which takes 1 ms', '400'),
  lifetime: createBudget(100 * 365, 'days', 'lifetime of a certificate', 'a century; much later dates cannot be encoded in X.509', '409; nothing is signed'),
  submissions: createBudget(200, 'at once', 'certificate requests being processed, including the wait for autosign and the disk', 'a fleet that boots together; each request takes some hundredths of a second', '503 with Retry-After'),
  submissionsOfOne: createBudget(50, 'at once', 'certificate requests being processed from one address', 'a site behind one address boots together; three quarters remain for other addresses', '503 with Retry-After'),
  autosignPrograms: createBudget(4, 'at once', 'runs of the program in the setting autosign', 'each run takes a process and tens of MiB; more runs are no faster on a few cores', 'the request waits for its turn', 'autosign_workers'),
  autosignOutput: createBudget(64 * KiB, 'bytes', 'output of the autosign program, kept for the log', 'a sentence or a stack trace', 'the program is ended, and the request is not signed automatically'),
  signers: createBudget(2, 'at once', 'runs of the command in the setting ca_signer', 'changes of the CA run one after another; only the revocation list for old agents is signed beside them', 'the signature waits for its turn'),
  signerTime: createBudget(10_000, 'ms', 'the time for one run of the command in ca_signer', 'a token or a KMS signs in less than a second, and other changes of the CA wait meanwhile', 'the command is ended; 503 with Retry-After'),
  signerOutput: createBudget(16 * KiB, 'bytes', 'output of the command in ca_signer', 'a signature of 8192 bits has 1,368 characters in base64', 'the command is ended; 503 with Retry-After'),
  waitingRequests: createBudget(5000, 'items', 'certificate requests waiting for an administrator', 'a fleet that is signed together; at most 160 MiB of disk, since requests need no certificate', 'requests that autosign accepts are signed; others get 503 with Retry-After until requests are signed or cleaned', 'max_waiting_requests'),
}
