import { defineIssues } from '../../../base/issue.ts'

/** Errors while a value is decrypted. */
export const eyamlIssues = defineIssues({
  // Puppet: functions/eyaml_lookup_key.rb
  EYAML_DECRYPT: {
    text: (a: { data: string; key: string; path: string; detail: string; hint: string | undefined }) =>
      `hiera-eyaml backend error decrypting ${a.data} when looking up ${a.key} in ${a.path}. Error was ${a.detail}`,
    hint: (a) => a.hint,
  },
  EYAML_NO_KEY: {
    text: (_: object) => 'pkcs7_private_key is not defined',
    hint: () => "Give its absolute path as 'pkcs7_private_key' in the 'options' of the level in hiera.yaml.",
  },
  EYAML_KEY_FROM_ENVIRONMENT: {
    text: (a: { option: string; variable: string }) =>
      `${a.option} is not supported: the variable '${a.variable}' is ignored`,
    hint: () => "Keep the key in a file, and give its absolute path as 'pkcs7_private_key'.",
  },
  EYAML_METHOD: {
    text: (a: { method: string }) => `the encryption method ${a.method} is not supported`,
    hint: () => 'Encrypt the value with PKCS7 or GPG: eyaml recrypt -n pkcs7 FILE',
  },
  EYAML_MALFORMED: { text: (a: { why: string }) => `it is not PKCS7 enveloped data: ${a.why}` },
  EYAML_WRONG_KEY: {
    text: (a: { keys: number }) =>
      a.keys > 1 ? `none of the ${a.keys} private keys decrypts it` : 'the private key does not decrypt it',
    hint: () => 'The value was encrypted for another key.',
  },
  EYAML_KMS: { text: (a: { why: string }) => `AWS KMS does not decrypt the value: ${a.why}` },
})
