import { createBudget, KiB, MiB } from './budget.ts'

/** Budgets of encrypted data in Hiera. */
// biome-ignore format: one line per budget
export const secretBudgets = {
  gpgTime: createBudget(10_000, 'ms', 'the time of gpg for one encrypted value, or for one file of SOPS', 'a decryption takes about 20 ms; a smart card takes a second', 'gpg is ended, and the catalog fails with a reason'),
  gpgOutput: createBudget(1 * MiB, 'bytes', 'the decrypted text of a `GPG` value', 'OpenPGP messages are compressed: 1 KiB may contain 1 MB', 'gpg is ended, and the catalog fails with a reason'),
  decryptedTexts: createBudget(8 * MiB, 'characters', 'cached texts that gpg decrypted, in each compile thread', 'a site has some thousand secrets of 100 bytes; each would start gpg in each compilation', 'gpg decrypts the least recently used text again'),
  ageIdentities: createBudget(50, 'items', 'identities in an age key file', 'a server has one key, and a second one while keys are rotated', 'the file is rejected with a reason'),
  ageAttempts: createBudget(1_000, 'items', 'attempts to decrypt the data key of a file of SOPS: age identities times recipients', 'a team of fifty people and two identities need 100; an attempt takes 0.5 ms', 'the look-up fails with a reason'),
  failedDecryption: createBudget(60_000, 'ms', 'the time for which a failed decryption is remembered, in each compile thread', 'a failure may take ten seconds, and each catalog would repeat it', 'the decryption is tried again'),
  failedDecryptions: createBudget(1_000, 'items', 'failed decryptions that are remembered, in each compile thread', 'most sites have none', 'the least recently used one is tried again'),
  sopsFile: createBudget(4 * MiB, 'characters', 'a file encrypted with SOPS', 'a value of ten characters takes 150 in the file; a file has some hundred values', 'the look-up fails with a reason'),
  sopsValues: createBudget(50_000, 'items', 'values in a file encrypted with SOPS', 'each takes about 10 µs; all take half a second', 'the look-up fails with a reason'),
  sopsDepth: createBudget(100, 'levels', 'nested values in a file encrypted with SOPS', 'data has less than ten levels', 'the look-up fails with a reason'),
  sopsPath: createBudget(4096, 'characters', 'the path of a value in a file encrypted with SOPS: all keys above the value', 'the path is authenticated with each value; data has less than 200 characters', 'the look-up fails with a reason'),
  sopsKeys: createBudget(100, 'items', 'recipients in the metadata of SOPS', 'a team of fifty people, and their servers', 'the look-up fails with a reason'),
  sopsKey: createBudget(64 * KiB, 'characters', 'the encrypted data key for one recipient', 'a post-quantum recipient takes 2 KiB', 'the look-up fails with a reason'),
  sopsFiles: createBudget(32 * MiB, 'characters', 'decrypted files of SOPS that are cached, by their encrypted size, in each compile thread', 'some hundred files of 100 KiB', 'the least recently used file is decrypted again'),
}
