import { defineIssues } from '../../../base/issue.ts'

/** Errors of age identities and of age files. */
export const ageIssues = defineIssues({
  AGE_ARMOR: { text: (a: { why: string }) => `its armor is malformed: ${a.why}` },
  AGE_HEADER: { text: (a: { why: string }) => `its header is malformed: ${a.why}` },
  AGE_NO_MATCH: {
    text: (_: object) => 'no age identity decrypts it',
    hint: () => 'Encrypt the file for the public key of an identity on the server: sops updatekeys FILE',
  },
  AGE_ATTEMPTS: {
    text: (a: { most: number }) => `it needs more than ${a.most} attempts to find the age identity`,
    hint: () => 'Remove identities from the key file, or recipients from the file.',
  },
  AGE_CHANGED: { text: (_: object) => 'its header was changed after its encryption' },
  AGE_PAYLOAD: { text: (_: object) => 'its content is damaged' },
  AGE_IDENTITY: {
    text: (a: { line: number; why: string }) => `line ${a.line} is not an age identity: ${a.why}`,
    hint: () => 'Create a key file with `age-keygen -o FILE`.',
  },
})
