import { defineIssues } from '../../../base/issue.ts'

/** Errors in the options of a profile. */
export const profileIssues = defineIssues({
  UNKNOWN_PROFILE_FORMAT: {
    text: (a: { file: string }) => `Cannot write a profile to ${a.file}: its name ends with neither .svg nor .json`,
    hint: () => 'Use .svg for a flame graph, or .json for the format of https://www.speedscope.app.',
  },
  UNWRITABLE_PROFILE: {
    text: (a: { file: string; reason: string }) => `Could not write the profile ${a.file}: ${a.reason}`,
  },
  WRONG_PROFILE_RUNS: {
    text: (a: { given: string }) => `--profile-runs requires a positive integer, not '${a.given}'`,
  },
  RUNS_WITHOUT_PROFILE: {
    text: () => '--profile-runs requires --profile',
  },
  PROFILE_IN_STORE_FORMAT: {
    text: (a: { format: string }) => `--profile cannot be given with --render-as ${a.format}`,
    hint: () => 'With --profile, the command prints the profile instead of the catalog, as text or json.',
  },
})
