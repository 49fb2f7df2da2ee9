import { defineIssues } from '../../base/issue.ts'
import { printable } from '../../base/text/printable.ts'
import { didYouMean } from '../../base/text/suggest.ts'

interface OfModule {
  readonly module: string
}

const atMost = 120
const shown = (text: string) => printable(text.length > atMost ? `${text.slice(0, atMost)}…` : text)

/** Errors in a Puppetfile, with r10k's messages if it has them. */
export const puppetfileIssues = defineIssues({
  PUPPETFILE_FAILED: {
    text: (a: { why: string; kind: string; name?: string | undefined }) => `Failed to evaluate Puppetfile: ${a.why}`,
    hint(a) {
      if (a.name !== undefined) return didYouMean(a.name, ['mod', 'forge', 'moduledir'])
      if (a.kind === 'Errno::ENOENT') return 'A Puppetfile can read only the files of its own branch.'
      if (a.kind === 'Errno::EPERM' || a.kind === 'NotImplementedError')
        return 'A Puppetfile can read the files of its own branch; it cannot run programs or use the network.'
      if (a.kind === 'LoadError') return "Ruby's standard library is there, and no gems."
      return undefined
    },
  },
  PUPPETFILE_TOO_LONG: {
    text: (a: { seconds: number }) => `Failed to evaluate Puppetfile: it took longer than ${a.seconds} seconds`,
    hint: () => 'Look for an endless loop.',
  },
  PUPPETFILE_TOO_MUCH: {
    text: (a: { of: string; bound: number }) => `Failed to evaluate Puppetfile: ${a.of}, more than ${a.bound}`,
  },
  PUPPETFILE_MODULE_NAME: {
    text: (a: OfModule) => `Module name (${shown(a.module)}) must match either 'modulename' or 'owner/modulename'`,
    hint: () => 'Use letters, digits and underscores, with a slash or dash between owner and name.',
  },
  PUPPETFILE_DUPLICATES: {
    text: (a: { name: string; line: number }) =>
      `Puppetfiles cannot contain duplicate module names. Remove the duplicates of the following modules: ${a.name}`,
    hint: (a) => `The module is also declared on line ${a.line}.`,
  },
  PUPPETFILE_NOT_TEXT: {
    text: (a: { what: string; got: string }) => `${shown(a.what)} takes a string, not ${a.got}`,
  },
  PUPPETFILE_UNKNOWN_KEY: {
    text: (a: OfModule & { key: string; known: readonly string[] }) =>
      `Module ${shown(a.module)} cannot handle option '${shown(a.key)}'`,
    hint: (a) => didYouMean(a.key, a.known) ?? `Valid options: ${a.known.join(', ')}.`,
  },
  PUPPETFILE_UNKNOWN_TYPE: {
    text: (a: OfModule & { type: string }) => `Module ${shown(a.module)} has the unknown type '${shown(a.type)}'`,
    hint: (a) =>
      didYouMean(a.type, ['git', 'forge', 'tarball', 'local']) ?? 'Valid types: git, forge, tarball and local.',
  },
  PUPPETFILE_NO_SOURCE: {
    text: (a: OfModule) =>
      `Module ${shown(a.module)} doesn't have an implementation. (Are you using the right arguments?)`,
    hint: () =>
      "Give a source: a version such as '1.2.3' for the Forge, git: 'URL', local: true, or type: 'tarball' with source: 'URL'.",
  },
  PUPPETFILE_LACKS: {
    text: (a: OfModule & { key: string }) => `Module ${shown(a.module)} lacks ${a.key}`,
  },
  PUPPETFILE_SUBVERSION: {
    text: (a: OfModule) => `Module ${shown(a.module)} comes from Subversion, which is not supported`,
    hint: () => "Convert it to Git with 'git svn clone', or commit it to the control repository.",
  },
  PUPPETFILE_VERSION: {
    text: (a: OfModule & { version: string }) =>
      `Module version ${shown(a.version)} is not a valid Forge module version`,
    hint: () => "Give a version such as '1.2.3', :latest, or a range such as '>= 1.2.0 < 2.0.0' or '1.x'.",
  },
  PUPPETFILE_NO_OWNER: {
    text: (a: OfModule) => `Module ${shown(a.module)} has no owner, which the Forge requires`,
    hint: (a) => `Add the owner: 'puppetlabs/${shown(a.module)}'.`,
  },
  PUPPETFILE_REF: {
    text: (a: OfModule & { key: string; name: string }) =>
      `Module ${shown(a.module)}: ${a.key} '${shown(a.name)}' is not a valid Git name`,
  },
  PUPPETFILE_DIGEST: {
    text: (a: OfModule & { digest: string }) =>
      `Module ${shown(a.module)}: '${shown(a.digest)}' is not a SHA-256 digest`,
    hint: () => "Give 64 hexadecimal digits, as printed by 'sha256sum FILE'.",
  },
  PUPPETFILE_PLACE: {
    text: (a: { what: string; path: string; why: string }) =>
      `Puppetfile cannot manage content '${shown(a.what)}' at '${shown(a.path)}': ${a.why}`,
    hint: () => 'Use a directory within the environment, such as modules/NAME.',
  },
  PUPPETFILE_PASSWORD: {
    text: (a: { what: string; url: string }) => `${shown(a.what)} has a password in its URL: ${shown(a.url)}`,
    hint: () =>
      'Anyone who can read the repository can read the password. Move it to a file on the server, and set git_token_files.',
  },
  PUPPETFILE_SOURCE_REFUSED: {
    text: (a: { what: string; url: string; prefix: string }) =>
      `${shown(a.what)} comes from ${shown(a.url)}, which is not in puppetfile_sources`,
    hint: (a) => `Add '${shown(a.prefix)}' to puppetfile_sources of the server, the list of allowed module sources.`,
  },
  PUPPETFILE_ADDRESS: {
    text: (a: { what: string; url: string; why: string }) =>
      `${shown(a.what)}: the URL '${shown(a.url)}' is not allowed: ${a.why}`,
  },
  PUPPETFILE_SOURCES: {
    text: (a: { given: string }) => `Invalid value '${shown(a.given)}' for parameter: puppetfile_sources`,
    hint: () =>
      'Give https://HOST/PATH, ssh://USER@HOST/PATH, USER@HOST:PATH, an absolute path, an IP address or a network.',
  },
})
