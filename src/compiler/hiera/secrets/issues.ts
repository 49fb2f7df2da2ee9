import { defineIssues } from '../../../base/issue.ts'

/** Errors of keys on the server that decrypt data. */
export const secretIssues = defineIssues({
  SECRET_KEY_PLACE: {
    text: (a: { path: string; folders: readonly string[] }) =>
      `the private key ${a.path} is not in a directory of the setting eyaml_keydirs`,
    hint: (a) =>
      a.folders.length === 0
        ? "Add its directory to 'eyaml_keydirs'."
        : `Current directories: ${a.folders.join(', ')}. Add the directory of the key to 'eyaml_keydirs'.`,
  },
  SECRET_KEY_UNREADABLE: {
    text: (a: { path: string; reason: string }) => `the private key ${a.path} cannot be read: ${a.reason}`,
  },
  GPG_MISSING: {
    text: (_: object) => 'the program gpg is not installed',
    hint: () => 'Install GnuPG on the server, for example with `apt-get install gpg`.',
  },
  // Puppet: hiera-eyaml-gpg, encryptors/gpg.rb
  GPG_NO_HOME: {
    text: (_: object) => 'No GPG home directory configured, check gpg_gnupghome configuration value is correct',
    hint: () => "Give its absolute path as 'gpg_gnupghome' in the 'options' of the level in hiera.yaml.",
  },
  GPG_HOME_MISSING: {
    text: (a: { home: string }) =>
      `Configured GPG home directory ${a.home} doesn't exist, check gpg_gnupghome configuration value is correct`,
  },
  GPG_NO_SECRET_KEY: {
    text: (a: { home: string; keys: readonly string[] }) =>
      `the GnuPG home ${a.home} has no secret key of its recipients: ${a.keys.join(', ')}`,
    hint: () =>
      'Encrypt the value for a key of the server, or import the secret key with `gpg --homedir HOME --import`.',
  },
  GPG_PASSPHRASE: {
    text: (a: { home: string }) => `the secret key in the GnuPG home ${a.home} has a passphrase`,
    hint: () => 'Remove the passphrase of the key on the server: gpg --homedir HOME --edit-key KEY passwd',
  },
  GPG_FAILED: { text: (a: { why: string }) => `gpg cannot decrypt it: ${a.why}` },
})
