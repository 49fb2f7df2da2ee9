import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { programCommand } from '../../base/program/program-command.ts'
import { runGit } from '../../code/git/git-command.ts'
import { writeHooks, writePlumb } from '../../deploy/hooks.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { isExecutable } from '../../machine/system/commands.ts'

/** Hooks for pushes over HTTPS. */
export interface PushHooks {
  /**
   * Returns the git settings and environment variables that make git run the hooks in a push to a repository. Throws
   * NO_HOOK.
   */
  of(gitDir: string): Promise<HookSettings>
  /** Writes the server's hooks to disk. */
  write(): Promise<void>
}

/** Git settings, and environment variables of git. */
export interface HookSettings {
  readonly config: readonly (readonly [string, string])[]
  readonly env: Readonly<Record<string, string>>
}

const issues = defineIssues({
  NO_HOOK: {
    text: (a: { gitDir: string; other: string }) => `The repository has a hook '${a.other}', but no pre-receive hook`,
    hint: (a) => `Run 'plumb code install-hooks ${a.gitDir}' on the server.`,
  },
  HOOK_NOT_RUN: {
    text: (a: { path: string }) => `Git cannot execute the hook ${a.path}`,
    hint: () => 'Move the vardir of the server to a file system that is not mounted with noexec.',
  },
})

/** Hooks other than pre-receive with which a repository may reject pushes. githooks(5). */
const others = ['update', 'post-receive', 'post-update', 'reference-transaction', 'proc-receive']

/**
 * Provides hooks in a folder below vardir for repositories without hooks, so that every push is
 * checked. A repository's own hooks run as they do over ssh and find this program as `plumb`, at
 * the end of PATH.
 */
export function createPushHooks(
  { vardir }: Pick<Settings, 'vardir'>,
  given: Readonly<Record<string, string>>,
): PushHooks {
  const folder = join(vardir, 'git-hooks')
  const programs = join(folder, 'bin')
  const templates = fileURLToPath(new URL('../../../hooks', import.meta.url))
  const parts = { templates, command: programCommand, settings: given }
  const env = { PATH: `${process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'}:${programs}` }
  return {
    async write() {
      await Promise.all([writeHooks(folder, parts), writePlumb(programs, parts)])
    },
    async of(gitDir) {
      const path = await runGit({ gitDir, quarantine: false }, ['rev-parse', '--git-path', 'hooks'])
      const own = resolve(gitDir, path.toString().trimEnd())
      if (await isExecutable(join(own, 'pre-receive'))) return { config: [], env }
      for (const other of others)
        if (await isExecutable(join(own, other))) return throwIssue(issues.NO_HOOK, { gitDir, other })
      for (const name of ['pre-receive', 'post-receive']) {
        const hook = join(folder, name)
        if (!(await isExecutable(hook))) return throwIssue(issues.HOOK_NOT_RUN, { path: hook })
      }
      return { config: [['core.hooksPath', folder]], env }
    },
  }
}
