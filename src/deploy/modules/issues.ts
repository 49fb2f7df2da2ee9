import { defineIssues } from '../../base/issue.ts'
import { printable } from '../../base/text/printable.ts'
import { didYouMean } from '../../base/text/suggest.ts'

const shown = (text: string) => printable(text.length > 200 ? `${text.slice(0, 200)}…` : text)

/** Errors of fetching a module. The words about what cannot be resolved are r10k's. */
export const moduleIssues = defineIssues({
  MODULE_FAILED: {
    text: (a: { module: string; line: number; place: string; why: string; hint: string | undefined }) =>
      `Unable to manage Puppetfile content '${shown(a.module)}' (line ${a.line}, ${shown(a.place)}): ${a.why}`,
    hint: (a) => a.hint,
  },
  MODULE_NO_REF: {
    text: (a: { wanted: string; defaults: readonly string[]; known: readonly string[] }) =>
      a.defaults.length > 0
        ? `Could not resolve desired ref '${shown(a.wanted)}' or resolve default ref '${shown(a.defaults.join("', '"))}'`
        : `Could not resolve desired ref '${shown(a.wanted)}'`,
    hint: (a) =>
      didYouMean(a.wanted, a.known) ??
      (a.known.length === 0
        ? 'The repository has no branch.'
        : `The repository has ${shown(a.known.slice(0, 10).join(', '))}${a.known.length > 10 ? ', …' : ''}.`),
  },
  MODULE_SUBMODULE: {
    text: (a: { path: string }) => `it has a Git submodule, ${shown(a.path)}, which is not supported`,
    hint: () => 'Make it a module of its own in the Puppetfile, or commit its files.',
  },
  MODULE_LFS: {
    text: (a: { path: string }) => `${shown(a.path)} is kept by Git LFS, which is not supported`,
    hint: () => "Commit the file itself ('git lfs migrate export'), or have nodes fetch it from elsewhere.",
  },
  MODULE_TOO_LARGE: {
    text: (a: { what: string; bound: number; setting: string | undefined }) => `it has more than ${a.bound} ${a.what}`,
    hint: (a) => a.setting && `The setting ${a.setting} of the server allows more.`,
  },
  MODULE_NOT_THERE: {
    text: (a: { path: string }) => `the control repository has no folder ${shown(a.path)}`,
    hint: () => 'A module that is local is content of the control repository itself.',
  },
  MODULE_ADDRESS_PRIVATE: {
    text: (a: { host: string; address: string }) =>
      `${shown(a.host)} has the address ${a.address}, which is not public`,
    hint: (a) => `'${a.address}', or its network, in the setting puppetfile_sources allows it.`,
  },
  MODULE_LEADS_ELSEWHERE: {
    text: (a: { url: string; prefix: string }) =>
      `it is redirected to ${shown(a.url)}, which is not in puppetfile_sources`,
    hint: (a) => `'${shown(a.prefix)}' in the setting puppetfile_sources of the server allows it.`,
  },
  MODULE_NOT_ON_FORGE: {
    text: (a: { slug: string; forge: string }) => `The module ${a.slug} does not exist on ${shown(a.forge)}.`,
    hint: () => 'Look for its name, and for that of its owner.',
  },
  MODULE_NO_RELEASE: {
    text: (a: { slug: string; version: string; forge: string; known: readonly string[] }) =>
      `The module release ${a.slug}-${shown(a.version)} does not exist on ${shown(a.forge)}.`,
    hint: (a) =>
      a.known.length === 0
        ? 'It has no release that can be had.'
        : `There are ${shown(a.known.slice(0, 8).join(', '))}${a.known.length > 8 ? ', …' : ''}.`,
  },
  MODULE_RELEASE_DELETED: {
    text: (a: { slug: string; version: string; reason: string }) =>
      `The module release ${a.slug}-${a.version} was deleted from the Forge${a.reason === '' ? '' : `: ${shown(a.reason)}`}`,
    hint: () => 'Take another version.',
  },
  MODULE_CHECKSUM: {
    text: (a: { kind: string; expected: string; actual: string }) =>
      `the archive has the ${a.kind} ${a.actual}, and should have ${shown(a.expected)}`,
    hint: () => 'It was changed on the way, or at its place. Nothing of it was kept.',
  },
  MODULE_NO_CHECKSUM: {
    text: (a: { slug: string; version: string }) => `the Forge names no checksum of ${a.slug}-${shown(a.version)}`,
  },
  MODULE_ANSWER: {
    text: (a: { url: string; why: string }) => `${shown(a.url)} gave an answer that cannot be used: ${shown(a.why)}`,
  },
  ARCHIVE_UNREADABLE: {
    text: (a: { why: string }) => `the archive cannot be read: ${shown(a.why)}`,
    hint: () => 'It is a tar, compressed by gzip.',
  },
  ARCHIVE_REFUSED: {
    text: (a: { path: string; why: string }) => `the archive is refused for its entry '${shown(a.path)}': ${a.why}`,
  },
  ARCHIVE_BOMB: {
    text: (a: { bytes: number }) => `the archive is refused: it unpacks to more than ${a.bytes} bytes`,
    hint: () =>
      'The setting max_module_bytes says how many a module may have; beyond 200 of each of the archive it is taken for a bomb.',
  },
  ARCHIVE_NO_MODULE: {
    text: (_: object) => 'No valid metadata.json found!',
    hint: () => 'The archive of a module has a metadata.json in its topmost folder.',
  },
  TOKEN_HOSTS: {
    text: (a: { given: string; setting: string }) => `Invalid value '${shown(a.given)}' for parameter: ${a.setting}`,
    hint: () => 'It takes HOST=FILE, separated by commas.',
  },
})
