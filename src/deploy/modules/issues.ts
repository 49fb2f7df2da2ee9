import { defineIssues } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { truncateForDisplay } from '../../machine/archive/issues.ts'

/** Errors reported when a module is fetched. Messages about unresolved refs are the same as in r10k. */
export const moduleIssues = defineIssues({
  MODULE_FAILED: {
    text: (a: { module: string; line: number; place: string; why: string; hint: string | undefined }) =>
      `Unable to manage Puppetfile content '${truncateForDisplay(a.module)}' (line ${a.line}, ${truncateForDisplay(a.place)}): ${a.why}`,
    hint: (a) => a.hint,
  },
  MODULE_NO_REF: {
    text: (a: { wanted: string; defaults: readonly string[]; known: readonly string[] }) =>
      a.defaults.length > 0
        ? `Could not resolve desired ref '${truncateForDisplay(a.wanted)}' or resolve default ref '${truncateForDisplay(a.defaults.join("', '"))}'`
        : `Could not resolve desired ref '${truncateForDisplay(a.wanted)}'`,
    hint: (a) =>
      formatSuggestion(a.wanted, a.known) ??
      (a.known.length === 0
        ? 'The repository has no branches.'
        : `The repository has ${truncateForDisplay(a.known.slice(0, 10).join(', '))}${a.known.length > 10 ? ', …' : ''}.`),
  },
  MODULE_SUBMODULE: {
    text: (a: { path: string }) =>
      `it contains the Git submodule ${truncateForDisplay(a.path)}, which is not supported`,
    hint: () => 'Add the submodule as a module to the Puppetfile, or commit its files.',
  },
  MODULE_LFS: {
    text: (a: { path: string }) => `${truncateForDisplay(a.path)} is stored in Git LFS, which is not supported`,
    hint: () => "Commit the file itself ('git lfs migrate export'), or let nodes fetch it from another source.",
  },
  MODULE_TOO_LARGE: {
    text: (a: { what: string; bound: number; setting: string | undefined }) => `it has more than ${a.bound} ${a.what}`,
    hint: (a) => a.setting && `Increase the setting ${a.setting} of the server.`,
  },
  MODULE_NOT_THERE: {
    text: (a: { path: string }) => `the control repository has no directory ${truncateForDisplay(a.path)}`,
    hint: () => 'Commit a module with `local: true` to the control repository.',
  },
  MODULE_ADDRESS_PRIVATE: {
    text: (a: { host: string; address: string }) =>
      `${truncateForDisplay(a.host)} has the address ${a.address}, which is not public`,
    hint: (a) => `Add '${a.address}' or its network to puppetfile_sources to allow it.`,
  },
  MODULE_LEADS_ELSEWHERE: {
    text: (a: { url: string; prefix: string }) =>
      `it is redirected to ${truncateForDisplay(a.url)}, which is not in puppetfile_sources`,
    hint: (a) => `Add '${truncateForDisplay(a.prefix)}' to puppetfile_sources of the server to allow it.`,
  },
  MODULE_NOT_ON_FORGE: {
    text: (a: { slug: string; forge: string }) =>
      `The module ${a.slug} does not exist on ${truncateForDisplay(a.forge)}.`,
    hint: () => 'Check the names of the module and of its owner.',
  },
  MODULE_NO_RELEASE: {
    text: (a: { slug: string; version: string; forge: string; known: readonly string[] }) =>
      `The module release ${a.slug}-${truncateForDisplay(a.version)} does not exist on ${truncateForDisplay(a.forge)}.`,
    hint: (a) =>
      a.known.length === 0
        ? 'The module has no available releases.'
        : `Available versions: ${truncateForDisplay(a.known.slice(0, 8).join(', '))}${a.known.length > 8 ? ', …' : ''}.`,
  },
  MODULE_RELEASE_DELETED: {
    text: (a: { slug: string; version: string; reason: string }) =>
      `The module release ${a.slug}-${a.version} was deleted from the Forge${a.reason === '' ? '' : `: ${truncateForDisplay(a.reason)}`}`,
    hint: () => 'Use another version.',
  },
  MODULE_CHECKSUM: {
    text: (a: { kind: string; expected: string; actual: string }) =>
      `the archive has the ${a.kind} ${a.actual} instead of ${truncateForDisplay(a.expected)}`,
    hint: () => 'The archive was modified at its source or in transit, and was discarded.',
  },
  MODULE_NO_CHECKSUM: {
    text: (a: { slug: string; version: string }) =>
      `the Forge has no checksum of ${a.slug}-${truncateForDisplay(a.version)}`,
  },
  MODULE_ANSWER: {
    text: (a: { url: string; why: string }) =>
      `${truncateForDisplay(a.url)} returned an invalid response: ${truncateForDisplay(a.why)}`,
  },
  ARCHIVE_NO_MODULE: {
    text: (_: object) => 'No valid metadata.json found!',
    hint: () => 'Add metadata.json to the top directory of the archive.',
  },
  TOKEN_HOSTS: {
    text: (a: { given: string; setting: string }) =>
      `Invalid value '${truncateForDisplay(a.given)}' for parameter: ${a.setting}`,
    hint: () => 'Give HOST=FILE, separated by commas.',
  },
})
