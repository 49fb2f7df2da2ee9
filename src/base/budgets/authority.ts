import { budget, KiB } from './budget.ts'

/** Budgets of requests to the certificate authority. */
// biome-ignore format: one line per budget
export const authority = {
  keyBits: budget(2048, 'bits', 'an RSA key that gets a certificate, at least; of EC keys, P-256, P-384 and P-521 do', 'shorter ones can be broken (NIST SP 800-131A)', '400, or 409 where an administrator signs it', 'minimum_keylength'),
  longestKeyBits: budget(8192, 'bits', 'an RSA key that gets a certificate, at most', 'a check of its signature takes 1 ms, and every peer does it at each handshake', '400'),
  lifetime: budget(100 * 365, 'days', 'the life of a certificate', 'a century; far beyond it a date has no form in X.509', 'nothing is signed: 409'),
  submissions: budget(200, 'at once', 'certificate requests that are taken in, which waits for autosign and for the disk', 'a fleet that boots together; each takes some hundredths of a second', '503 with Retry-After'),
  submissionsOfOne: budget(50, 'at once', 'certificate requests that are taken in from one address', 'a site behind one address boots together, and leaves three quarters to others', '503 with Retry-After'),
  autosignPrograms: budget(4, 'at once', 'runs of the program that the setting autosign names', 'a program takes a process and tens of MiB; more of them are no faster on few cores', 'the request waits for its turn', 'autosign_workers'),
  autosignOutput: budget(64 * KiB, 'bytes', 'what the autosign program prints, for the log', 'a sentence, or a stack trace', 'the program is ended, and has not agreed'),
  waitingRequests: budget(5000, 'items', 'certificate requests that wait for a person', 'a fleet that is signed at once; 160 MiB of disk at most, for anybody may send them', 'what autosign agrees to is signed, and else 503 with Retry-After until requests are signed or cleaned', 'max_waiting_requests'),
}
