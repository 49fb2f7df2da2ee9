import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineIssues, throwIssue } from '../base/issue.ts'
import { readProgramFile } from '../base/program/program-files.ts'
import { runGit } from '../code/git/git-command.ts'
import { toCommandLineArguments } from '../machine/settings/settings.ts'

const issues = defineIssues({
  HOOK_EXISTS: {
    text: (a: { path: string }) => `Another hook exists at ${a.path}`,
    hint: () => "Call 'plumb code check --stdin' or 'plumb code notify' from that hook, or remove it and try again.",
  },
})

const names = ['pre-receive', 'post-receive'] as const
/** Line that identifies a hook installed by Plumbline. */
const mark = '# A hook of Plumbline'

/** Parts of a hook: its template, and the program and settings to call. */
export interface HookParts {
  /** The directory of hook templates. */
  readonly templates: string
  /** Program and arguments that run `plumb`. */
  readonly command: readonly string[]
  /** Settings to pass to `plumb`, such as `--rundir /run/plumb`. */
  readonly settings: Readonly<Record<string, string>>
}

/** Installs the hooks in a repository, and returns their paths. Throws HOOK_EXISTS instead of replacing another hook. */
export async function installHooks(gitDir: string, parts: HookParts): Promise<readonly string[]> {
  const folder = join(gitDir, 'hooks')
  for (const name of names) {
    const path = join(folder, name)
    const before = await readFile(path, 'utf8').catch(() => undefined)
    if (before !== undefined && !before.includes(mark)) throwIssue(issues.HOOK_EXISTS, { path })
  }
  const paths = await writeHooks(folder, parts)
  // Without this setting, Git rejects `git push -o`. The hook decides which options it accepts.
  await runGit({ gitDir, quarantine: false }, ['config', 'receive.advertisePushOptions', 'true'])
  return paths
}

/** Writes the hooks to a directory atomically, and returns their paths. */
export async function writeHooks(folder: string, parts: HookParts): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const call = `plumb() { ${formatPlumbCall(parts, '"$@"')}; }`
  return Promise.all(
    names.map(async (name) => {
      const [first = '', ...rest] = readProgramFile(join(parts.templates, name)).toString().split('\n')
      return writeExecutable(join(folder, name), [first, call, ...rest].join('\n'))
    }),
  )
}

/** Writes a script `plumb` to a directory, for other hooks that find it in PATH. Returns its path. */
export async function writePlumb(folder: string, parts: Omit<HookParts, 'templates'>): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o755 })
  return writeExecutable(join(folder, 'plumb'), `#!/bin/sh\nexec ${formatPlumbCall(parts, '"$@"')}\n`)
}

function formatPlumbCall({ command, settings }: Omit<HookParts, 'templates'>, words: string): string {
  return [...command.map(quoteWord), words, ...toCommandLineArguments(settings).map(quoteWord)].join(' ')
}

async function writeExecutable(path: string, text: string): Promise<string> {
  await writeFile(`${path}.new`, text)
  await chmod(`${path}.new`, 0o755)
  await rename(`${path}.new`, path)
  return path
}

/** Quotes a word for the shell. */
function quoteWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
