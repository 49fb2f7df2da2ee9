import { defineIssues } from '../../../base/issue.ts'

/** Errors of files encrypted with SOPS. */
export const sopsIssues = defineIssues({
  SOPS_DECRYPT: {
    text: (a: { key: string; path: string; detail: string; hint: string | undefined }) =>
      `sops backend error when looking up ${a.key} in ${a.path}. Error was ${a.detail}`,
    hint: (a) => a.hint,
  },
  SOPS_FORMAT: {
    text: (a: { path: string }) => `the format of ${a.path} is not supported`,
    hint: () => 'SOPS chooses the format by the extension. Use .yaml, .yml, .json, .env or .ini.',
  },
  SOPS_SYNTAX: { text: (a: { what: string; why: string }) => `it is not valid ${a.what}: ${a.why}` },
  SOPS_LIMIT: { text: (a: { of: string; most: number }) => `it exceeds ${a.most} ${a.of}` },
  // SOPS: sops.go, `MetadataNotFound`
  SOPS_NO_METADATA: {
    text: (_: object) => 'sops metadata not found',
    hint: () => 'Encrypt the file: sops encrypt --in-place FILE',
  },
  SOPS_METADATA: { text: (a: { why: string }) => `its sops metadata are invalid: ${a.why}` },
  /** The text of the service, as it is. */
  SOPS_SERVICE: { text: (a: { kind: string; why: string }) => `${a.kind}: ${a.why}` },
  SOPS_NO_KEY: {
    text: (_: object) => 'neither age_key_file nor gpg_gnupghome is defined',
    hint: () => "Give an absolute path as 'age_key_file' in the 'options' of the level in hiera.yaml.",
  },
  SOPS_LOCKED: {
    text: (a: { reasons: readonly string[] }) => `no key of the server decrypts its data key: ${a.reasons.join('; ')}`,
    hint: () => 'Add the public key of the server to .sops.yaml, then: sops updatekeys FILE',
  },
  SOPS_SHARES: {
    text: (a: { found: number; threshold: number }) =>
      `${a.found} of its key groups can be decrypted, and ${a.threshold} are needed`,
    hint: () => 'Give the keys of further groups in the options of the level.',
  },
  SOPS_VALUE: { text: (a: { at: string; why: string }) => `the value at ${a.at} ${a.why}` },
  // SOPS: sops.go, `MacMismatch`
  SOPS_MAC: {
    text: (_: object) => 'MAC mismatch',
    hint: () => 'The file was changed without sops. Check the change, then: sops edit FILE',
  },
})
