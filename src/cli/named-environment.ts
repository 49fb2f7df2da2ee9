import { resolve } from 'node:path'
import { defineIssues, fail } from '../base/issue.ts'
import { hintAboutAbsent } from '../environments/absent-environment.ts'
import { openDirectoryEnvironments } from '../environments/directory-environments.ts'
import { environmentOfBranch } from '../environments/environment-name.ts'
import { type OpenedEnvironment, openCommit, openDirectory } from '../environments/open-environment.ts'
import { openRepository } from '../git/open-repository.ts'
import { loadSettings, type Settings } from '../settings/settings.ts'

const issues = defineIssues({
  UNKNOWN_ENVIRONMENT: {
    text: (a: { name: string; hint: string }) =>
      `Could not find a directory environment named '${a.name}' anywhere in the path`,
    hint: (a) => a.hint,
  },
})

/** An environment as it is found; nothing of it is loaded. */
export interface EnvironmentSource {
  readonly name: string
  /** The branch, or the folder. */
  readonly ref: string
  readonly commit: string | undefined
}

/** Environments as a server would find them; nothing is loaded. */
export async function sourcesOf(settings: Settings): Promise<readonly EnvironmentSource[]> {
  if (settings.code_repo === '')
    return (await openDirectoryEnvironments(settings).status()).map(({ name, ref }) => ({
      name,
      ref,
      commit: undefined,
    }))
  const source = await openRepository(settings.code_repo)
  const { commits } = await source.listRefs('refs/heads/').finally(() => source.close())
  return [...commits].map(([ref, commit]) => ({
    name: environmentOfBranch(ref.replace('refs/heads/', '')),
    ref,
    commit,
  }))
}

/** The code of an environment of the server. Throws UNKNOWN_ENVIRONMENT. */
export async function openNamed(name: string, settings: Settings): Promise<OpenedEnvironment> {
  const sources = await sourcesOf(settings)
  const source = sources.find((each) => each.name === name)
  if (!source)
    return fail(issues.UNKNOWN_ENVIRONMENT, {
      name,
      hint: hintAboutAbsent(name, sources, settings.code_repo || undefined),
    })
  const { ref } = source
  if (source.commit === undefined) return openDirectory({ directory: ref, name }, settings)
  return openCommit({ repository: settings.code_repo, ref, name }, settings)
}

/** The settings with which a command reads code; of a repository, paths are then as the server of it has them. */
export function codeSettings(given: Readonly<Record<string, string>>, repository: string | undefined): Settings {
  const own = repository === undefined ? given : { ...given, code_repo: resolve(repository) }
  return loadSettings({ given: own, runMode: 'server' })
}
