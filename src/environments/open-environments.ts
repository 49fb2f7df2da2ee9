import { openRepository } from '../git/open-repository.ts'
import type { Settings } from '../settings/settings.ts'
import { openDirectoryEnvironments } from './directory-environments.ts'
import type { Environments } from './environments.ts'
import { type GitEnvironmentsOptions, openGitEnvironments } from './git-environments.ts'

/** The environments that the settings name: branches of `code_repo`, or the folders of `environmentpath`. */
export async function openEnvironments(
  settings: Settings,
  options: Omit<GitEnvironmentsOptions, 'source' | 'settings'> = {},
): Promise<Environments> {
  if (settings.code_repo === '') return openDirectoryEnvironments(settings)
  return openGitEnvironments({ ...options, source: await openRepository(settings.code_repo), settings })
}
