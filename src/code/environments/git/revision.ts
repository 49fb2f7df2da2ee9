import { branches } from './choose-branches.ts'

/** Characters of a commit's id for people. */
const abbreviatedDigits = 7

/** A commit as people name it, who have the repository: `main@1a2b3c4`, or only its id where no other name was used. */
export function revisionOf(ref: string, commit: string): string {
  const name = ref.startsWith(branches) ? ref.slice(branches.length) : ref
  const short = commit.slice(0, abbreviatedDigits)
  return commit.startsWith(name) ? short : `${name}@${short}`
}
