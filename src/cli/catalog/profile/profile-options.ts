import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { throwIssue } from '../../../base/issue.ts'
import type { CompileProfile } from '../../../compiler/profile/compile-profile.ts'
import { formatErrorReason } from '../../../language/ruby-semantics/errno.ts'
import type { MayHave, Option } from '../../command/options.ts'
import { formatFlameGraph } from './flame-graph.ts'
import { profileIssues } from './issues.ts'
import { formatSpeedscope } from './speedscope.ts'

/** Options of a profile. */
export const profileOptions = [
  {
    flags: '--profile [file]',
    doc: 'Print where the compilation spent its time, instead of the catalog. Also write a flame graph (.svg) or a speedscope profile (.json) to the file.',
  },
  {
    flags: '--profile-runs <number>',
    doc: 'With --profile, compile the catalog N times in this process and profile the last. Default: 1.',
  },
] as const satisfies readonly Option[]

/** A requested profile. */
export interface ProfileRequest {
  readonly runs: number
  /** Writes the file, if one was requested. Throws UNWRITABLE_PROFILE. */
  write(profile: CompileProfile, title: string): void
}

const formats: readonly (readonly [extension: string, format: (profile: CompileProfile, title: string) => string])[] = [
  ['.svg', formatFlameGraph],
  ['.json', formatSpeedscope],
]

/**
 * Returns the requested profile; `undefined` if none is requested. Throws UNKNOWN_PROFILE_FORMAT, UNWRITABLE_PROFILE,
 * WRONG_PROFILE_RUNS, RUNS_WITHOUT_PROFILE and PROFILE_IN_STORE_FORMAT.
 */
export function readProfileOptions({
  profile,
  profileRuns,
  renderAs = 'text',
}: MayHave<typeof profileOptions> & { readonly renderAs?: string }): ProfileRequest | undefined {
  if (profile === undefined)
    return profileRuns === undefined ? undefined : throwIssue(profileIssues.RUNS_WITHOUT_PROFILE, {})
  if (profileRuns !== undefined && !/^0*[1-9]\d*$/.test(profileRuns))
    throwIssue(profileIssues.WRONG_PROFILE_RUNS, { given: profileRuns })
  if (renderAs.startsWith('pdb-')) throwIssue(profileIssues.PROFILE_IN_STORE_FORMAT, { format: renderAs })
  const runs = Number(profileRuns ?? 1)
  if (profile === true) return { runs, write() {} }
  const [, format] =
    formats.find(([extension]) => profile.endsWith(extension)) ??
    throwIssue(profileIssues.UNKNOWN_PROFILE_FORMAT, { file: profile })
  writing(profile, () => checkWritable(profile))
  return { runs, write: (measured, title) => writing(profile, () => writeFileSync(profile, format(measured, title))) }
}

/** Opens the file for writing; neither changes it nor leaves a new file. */
function checkWritable(file: string): void {
  const isNew = !existsSync(file)
  closeSync(openSync(file, 'a'))
  if (isNew) rmSync(file)
}

function writing(file: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    throwIssue(profileIssues.UNWRITABLE_PROFILE, { file, reason: formatErrorReason(error) })
  }
}
