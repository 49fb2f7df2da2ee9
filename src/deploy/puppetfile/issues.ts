import { defineIssues } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { toPrintable } from '../../base/text/printable.ts'

interface OfModule {
  readonly module: string
}

const atMost = 120
const truncateForDisplay = (text: string) => toPrintable(text.length > atMost ? `${text.slice(0, atMost)}…` : text)

/** Errors in a Puppetfile, with r10k's messages if it has them. */
export const puppetfileIssues = defineIssues({
  PUPPETFILE_FAILED: {
    text: (a: { why: string; kind: string; name?: string | undefined }) => `Failed to evaluate Puppetfile: ${a.why}`,
    hint(a) {
      if (a.name !== undefined) return formatSuggestion(a.name, ['mod', 'forge', 'moduledir'])
      if (a.kind === 'Errno::ENOENT') return 'A Puppetfile can read only the files of its own branch.'
      if (a.kind === 'Errno::EPERM' || a.kind === 'NotImplementedError')
        return 'A Puppetfile can read the files of its own branch; it cannot run programs or use the network.'
      if (a.kind === 'LoadError') return "Puppetfiles can use Ruby's standard library, but no gems."
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
    text: (a: OfModule) =>
      `Module name (${truncateForDisplay(a.module)}) must match either 'modulename' or 'owner/modulename'`,
    hint: () => 'Use letters, digits and underscores, with a slash or dash between owner and name.',
  },
  PUPPETFILE_DUPLICATES: {
    text: (a: { name: string; line: number }) =>
      `Puppetfiles cannot contain duplicate module names. Remove the duplicates of the following modules: ${a.name}`,
    hint: (a) => `The module is also declared on line ${a.line}.`,
  },
  PUPPETFILE_NOT_TEXT: {
    text: (a: { what: string; got: string }) => `${truncateForDisplay(a.what)} must be a string, not ${a.got}`,
  },
  PUPPETFILE_UNKNOWN_KEY: {
    text: (a: OfModule & { key: string; known: readonly string[] }) =>
      `Module ${truncateForDisplay(a.module)} cannot handle option '${truncateForDisplay(a.key)}'`,
    hint: (a) => formatSuggestion(a.key, a.known) ?? `Valid options: ${a.known.join(', ')}.`,
  },
  PUPPETFILE_UNKNOWN_TYPE: {
    text: (a: OfModule & { type: string }) =>
      `Module ${truncateForDisplay(a.module)} has the unknown type '${truncateForDisplay(a.type)}'`,
    hint: (a) =>
      formatSuggestion(a.type, ['git', 'forge', 'tarball', 'local']) ?? 'Valid types: git, forge, tarball and local.',
  },
  PUPPETFILE_NO_SOURCE: {
    text: (a: OfModule) =>
      `Module ${truncateForDisplay(a.module)} doesn't have an implementation. (Are you using the right arguments?)`,
    hint: () =>
      "Give a source: a version such as '1.2.3' for the Forge, git: 'URL', local: true, or type: 'tarball' with source: 'URL'.",
  },
  PUPPETFILE_LACKS: {
    text: (a: OfModule & { key: string }) => `Module ${truncateForDisplay(a.module)} lacks ${a.key}`,
  },
  PUPPETFILE_SUBVERSION: {
    text: (a: OfModule) => `Module ${truncateForDisplay(a.module)} comes from Subversion, which is not supported`,
    hint: () => "Convert it to Git with 'git svn clone', or commit it to the control repository.",
  },
  PUPPETFILE_VERSION: {
    text: (a: OfModule & { version: string }) =>
      `Module version ${truncateForDisplay(a.version)} is not a valid Forge module version`,
    hint: () => "Give a version such as '1.2.3', :latest, or a range such as '>= 1.2.0 < 2.0.0' or '1.x'.",
  },
  PUPPETFILE_NO_OWNER: {
    text: (a: OfModule) => `Module ${truncateForDisplay(a.module)} has no owner, which the Forge requires`,
    hint: (a) => `Add the owner: 'puppetlabs/${truncateForDisplay(a.module)}'.`,
  },
  PUPPETFILE_REF: {
    text: (a: OfModule & { key: string; name: string }) =>
      `Module ${truncateForDisplay(a.module)}: ${a.key} '${truncateForDisplay(a.name)}' is not a valid Git name`,
  },
  PUPPETFILE_DIGEST: {
    text: (a: OfModule & { digest: string }) =>
      `Module ${truncateForDisplay(a.module)}: '${truncateForDisplay(a.digest)}' is not a SHA-256 digest`,
    hint: () => "Give 64 hexadecimal digits, as printed by 'sha256sum FILE'.",
  },
  PUPPETFILE_PLACE: {
    text: (a: { what: string; path: string; why: string }) =>
      `Puppetfile cannot manage content '${truncateForDisplay(a.what)}' at '${truncateForDisplay(a.path)}': ${a.why}`,
    hint: () => 'Use a directory within the environment, such as modules/NAME.',
  },
  PUPPETFILE_PASSWORD: {
    text: (a: { what: string; url: string }) =>
      `${truncateForDisplay(a.what)} has a password in its URL: ${truncateForDisplay(a.url)}`,
    hint: () =>
      'Anyone who can read the repository can read the password. Move it to a file on the server, and set git_token_files.',
  },
  PUPPETFILE_SOURCE_REFUSED: {
    text: (a: { what: string; url: string; prefix: string }) =>
      `${truncateForDisplay(a.what)} comes from ${truncateForDisplay(a.url)}, which is not in puppetfile_sources`,
    hint: (a) =>
      `Add '${truncateForDisplay(a.prefix)}' to puppetfile_sources of the server, the list of allowed module sources.`,
  },
  PUPPETFILE_ADDRESS: {
    text: (a: { what: string; url: string; why: string }) =>
      `${truncateForDisplay(a.what)}: the URL '${truncateForDisplay(a.url)}' is not allowed: ${a.why}`,
  },
  PUPPETFILE_SOURCES: {
    text: (a: { given: string }) => `Invalid value '${truncateForDisplay(a.given)}' for parameter: puppetfile_sources`,
    hint: () =>
      'Give https://HOST/PATH, ssh://USER@HOST/PATH, USER@HOST:PATH, an absolute path, an IP address or a network.',
  },
})
