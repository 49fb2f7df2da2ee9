import { defineIssues } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'

/** Reasons for rejecting a bundle. */
export const bundleIssues = defineIssues({
  BUNDLE_MALFORMED: {
    text: (a: { why: string }) => `The bundle is damaged or was changed: ${toPrintable(a.why)}`,
    hint: () => 'Copy the bundle again, and compare its SHA-256 on both machines.',
  },
  BUNDLE_VERSION: {
    text: (a: { version: number }) => `The bundle has version ${a.version} of the format, which is not supported`,
    hint: () => 'Update Plumbline on this machine, or create the bundle with the same release.',
  },
  BUNDLE_UNSIGNED: {
    text: () => 'The bundle is not signed',
    hint: () =>
      'Create it on a machine with a catalog_signer. --allow-unsigned accepts it without proof of its origin.',
  },
  BUNDLE_SIGNER_FOREIGN: {
    text: (a: { signer: string }) =>
      `The bundle was signed by '${toPrintable(a.signer)}', whose certificate is not valid for signing catalogs`,
  },
  BUNDLE_SIGNER_UNTRUSTED: {
    text: (a: { signer: string; why: string }) =>
      `The bundle was signed by '${toPrintable(a.signer)}', which is not trusted: ${toPrintable(a.why)}`,
    hint: () =>
      'Give the CA certificates of the machine that created the bundle as --trusted-ca FILE, followed by its revocation lists.',
  },
  BUNDLE_FROM_FUTURE: {
    text: (a: { signer: string; time: string; now: string }) =>
      `The bundle was signed by '${toPrintable(a.signer)}' at ${a.time}, but the clock of this host shows ${a.now}`,
    hint: () => 'Set the clocks of both machines, and create the bundle again if its time is wrong.',
  },
  BUNDLE_OLDER: {
    text: (a: { environment: string; given: string; current: string }) =>
      `The bundle is older than the code of environment ${a.environment}: it contains ${a.given}, but ${a.current} is newer`,
    hint: () => 'Use a newer bundle, or go back to the older code with --force.',
  },
  BUNDLE_BASE_MISSING: {
    text: (a: { commit: string }) => `The bundle continues from commit ${a.commit}, which does not exist here`,
    hint: () => 'Import the earlier bundles first, or create a complete bundle without --since.',
  },
  BUNDLE_OBJECT_FORMAT: {
    text: (a: { bundle: string; here: string }) =>
      `The bundle contains commits of a ${a.bundle} repository, but the repository here uses ${a.here}`,
  },
  BUNDLE_PUSH_REJECTED: {
    text: (a: { ref: string; why: string }) => `The repository rejected ${toPrintable(a.ref)}: ${toPrintable(a.why)}`,
    hint: () => 'Nothing was changed. The lines above contain the reason.',
  },
  BUNDLE_COMMIT_MISSING: {
    text: (a: { commit: string }) => `The bundle does not contain commit ${a.commit}, which its manifest names`,
  },
  BUNDLE_COMMIT_FOREIGN: {
    text: (a: { environment: string; commit: string; branch: string }) =>
      `Commit ${a.commit}, which environment ${a.environment} would serve, does not consist of commit ${a.branch} and modules`,
  },
})
