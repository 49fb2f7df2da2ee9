import { defineIssues } from '../../base/issue.ts'
import { printable } from '../../base/text/printable.ts'
import { didYouMean } from '../../base/text/suggest.ts'

interface OfModule {
  readonly module: string
}

const atMost = 120
const shown = (text: string) => printable(text.length > atMost ? `${text.slice(0, atMost)}…` : text)

/** Errors of a Puppetfile. Where r10k has words for it, they are r10k's. */
export const puppetfileIssues = defineIssues({
  PUPPETFILE_FAILED: {
    text: (a: { why: string; kind: string; name?: string | undefined }) => `Failed to evaluate Puppetfile: ${a.why}`,
    hint(a) {
      if (a.name !== undefined) return didYouMean(a.name, ['mod', 'forge', 'moduledir'])
      if (a.kind === 'Errno::ENOENT')
        return 'A Puppetfile sees the files of its own branch, and nothing else of the machine.'
      if (a.kind === 'Errno::EPERM' || a.kind === 'NotImplementedError')
        return 'A Puppetfile runs no programs; it sees the files of its own branch, and asks nobody.'
      if (a.kind === 'LoadError') return "Ruby's standard library is there, and no gems."
      return undefined
    },
  },
  PUPPETFILE_TOO_LONG: {
    text: (a: { seconds: number }) => `Failed to evaluate Puppetfile: it took longer than ${a.seconds} seconds`,
    hint: () => 'Look for a loop that does not end.',
  },
  PUPPETFILE_TOO_MUCH: {
    text: (a: { of: string; bound: number }) => `Failed to evaluate Puppetfile: ${a.of}, more than ${a.bound}`,
  },
  PUPPETFILE_MODULE_NAME: {
    text: (a: OfModule) => `Module name (${shown(a.module)}) must match either 'modulename' or 'owner/modulename'`,
    hint: () => 'Letters, digits and underscores; the owner before a slash or a dash.',
  },
  PUPPETFILE_DUPLICATES: {
    text: (a: { name: string; line: number }) =>
      `Puppetfiles cannot contain duplicate module names. Remove the duplicates of the following modules: ${a.name}`,
    hint: (a) => `It stands on line ${a.line}, too.`,
  },
  PUPPETFILE_NOT_TEXT: {
    text: (a: { what: string; got: string }) => `${shown(a.what)} takes a text, not ${a.got}`,
  },
  PUPPETFILE_UNKNOWN_KEY: {
    text: (a: OfModule & { key: string; known: readonly string[] }) =>
      `Module ${shown(a.module)} cannot handle option '${shown(a.key)}'`,
    hint: (a) => didYouMean(a.key, a.known) ?? `There are ${a.known.join(', ')}.`,
  },
  PUPPETFILE_UNKNOWN_TYPE: {
    text: (a: OfModule & { type: string }) => `Module ${shown(a.module)} has the unknown type '${shown(a.type)}'`,
    hint: (a) => didYouMean(a.type, ['git', 'forge', 'tarball', 'local']) ?? 'There are git, forge, tarball and local.',
  },
  PUPPETFILE_NO_SOURCE: {
    text: (a: OfModule) =>
      `Module ${shown(a.module)} doesn't have an implementation. (Are you using the right arguments?)`,
    hint: () =>
      "Say where it comes from: ', \"1.2.3\"' for the Forge, or git: 'URL', local: true, type: 'tarball' with source: 'URL'.",
  },
  PUPPETFILE_LACKS: {
    text: (a: OfModule & { key: string }) => `Module ${shown(a.module)} lacks ${a.key}`,
  },
  PUPPETFILE_SUBVERSION: {
    text: (a: OfModule) => `Module ${shown(a.module)} comes from Subversion, which is not supported`,
    hint: () => "Bring it to Git ('git svn clone' does), or put it into the control repository.",
  },
  PUPPETFILE_VERSION: {
    text: (a: OfModule & { version: string }) =>
      `Module version ${shown(a.version)} is not a valid Forge module version`,
    hint: () => "A version such as '1.2.3', :latest, or a range such as '>= 1.2.0 < 2.0.0' or '1.x'.",
  },
  PUPPETFILE_NO_OWNER: {
    text: (a: OfModule) => `Module ${shown(a.module)} has no owner, by which the Forge knows it`,
    hint: (a) => `Write 'puppetlabs/${shown(a.module)}', with the name of who publishes it.`,
  },
  PUPPETFILE_REF: {
    text: (a: OfModule & { key: string; name: string }) =>
      `Module ${shown(a.module)}: ${a.key} '${shown(a.name)}' is no name that Git could have`,
  },
  PUPPETFILE_DIGEST: {
    text: (a: OfModule & { digest: string }) => `Module ${shown(a.module)}: '${shown(a.digest)}' is no SHA-256 digest`,
    hint: () => "64 hexadecimal digits: 'sha256sum FILE' prints them.",
  },
  PUPPETFILE_PLACE: {
    text: (a: { what: string; path: string; why: string }) =>
      `Puppetfile cannot manage content '${shown(a.what)}' at '${shown(a.path)}': ${a.why}`,
    hint: () => 'Modules are folders of their own within the environment, such as modules/NAME.',
  },
  PUPPETFILE_PASSWORD: {
    text: (a: { what: string; url: string }) => `${shown(a.what)} has a password in its address: ${shown(a.url)}`,
    hint: () =>
      'Whoever reads the repository reads it. Put it into a file of the server, which the setting git_token_files names.',
  },
  PUPPETFILE_SOURCE_REFUSED: {
    text: (a: { what: string; url: string; prefix: string }) =>
      `${shown(a.what)} comes from ${shown(a.url)}, which is not in puppetfile_sources`,
    hint: (a) =>
      `The setting puppetfile_sources of the server lists where modules may come from; '${shown(a.prefix)}' in it allows this one.`,
  },
  PUPPETFILE_ADDRESS: {
    text: (a: { what: string; url: string; why: string }) =>
      `${shown(a.what)}: '${shown(a.url)}' is no address that is asked: ${a.why}`,
  },
  PUPPETFILE_SOURCES: {
    text: (a: { given: string }) => `Invalid value '${shown(a.given)}' for parameter: puppetfile_sources`,
    hint: () =>
      'It takes https://HOST/PATH, ssh://USER@HOST/PATH, USER@HOST:PATH, an absolute path, an address or a network.',
  },
})
