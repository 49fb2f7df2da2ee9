// What the server says that it serves.
import { git } from './code.js'

/** The commit that an environment is served at, and the one that it was made of. */
export async function servedCommit({ asker, place }, environment) {
  const { status } = await asker.json('GET', '/status/v1/services/server?level=debug')
  const found = status.environments.find(({ name }) => name === environment)
  if (!found?.commit) return { commit: undefined, source: undefined, refused: found?.refused }
  const text = await git(place.gitDir, ['cat-file', 'commit', found.commit])
  return { commit: found.commit, source: /^parent (\w+)$/m.exec(text)?.[1], refused: found.refused }
}
