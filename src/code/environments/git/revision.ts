import { branches } from './branch-choice.ts'

/** Number of digits of an abbreviated commit id. */
const abbreviatedDigits = 7

/** Returns a commit as shown to users: `main@1a2b3c4`, or only the id if `ref` is not a name. */
export function formatRevision(ref: string, commit: string): string {
  const name = ref.startsWith(branches) ? ref.slice(branches.length) : ref
  const short = commit.slice(0, abbreviatedDigits)
  return commit.startsWith(name) ? short : `${name}@${short}`
}
