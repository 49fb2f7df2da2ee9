import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineIssues, fail } from '../base/issue.ts'
import { git } from '../code/git/git-command.ts'
import { settingWords } from '../machine/settings/settings.ts'

const issues = defineIssues({
  HOOK_EXISTS: {
    text: (a: { path: string }) => `There is another hook at ${a.path}`,
    hint: () => "Call 'plumb code check --stdin' or 'plumb code notify' from it, or take it away and try again.",
  },
})

const names = ['pre-receive', 'post-receive'] as const
/** By this line we know a hook of ours again. */
const mark = '# A hook of Plumbline'

/** The parts of hooks: texts as they are shipped, and the very program and settings to call. */
export interface HookParts {
  /** The folder with the hooks as they are shipped. */
  readonly templates: string
  /** Program and arguments that are `plumb`. */
  readonly command: readonly string[]
  /** Settings to hand on: `--rundir /run/plumb`. */
  readonly settings: Readonly<Record<string, string>>
}

/** Puts our hooks into a repository. Throws HOOK_EXISTS rather than replace a stranger's. Answers the paths. */
export async function installHooks(gitDir: string, parts: HookParts): Promise<readonly string[]> {
  const folder = join(gitDir, 'hooks')
  for (const name of names) {
    const path = join(folder, name)
    const before = await readFile(path, 'utf8').catch(() => undefined)
    if (before !== undefined && !before.includes(mark)) fail(issues.HOOK_EXISTS, { path })
  }
  const paths = await writeHooks(folder, parts)
  // Without it git refuses `git push -o`; whether an option counts is for the hook to say.
  await git({ gitDir, quarantine: false }, ['config', 'receive.advertisePushOptions', 'true'])
  return paths
}

/** Writes our hooks into a folder, each in one step. Answers the paths. */
export async function writeHooks(folder: string, parts: HookParts): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const call = `plumb() { ${callOf(parts, '"$@"')}; }`
  return Promise.all(
    names.map(async (name) => {
      const [first = '', ...rest] = (await readFile(join(parts.templates, name), 'utf8')).split('\n')
      return writeProgram(join(folder, name), [first, call, ...rest].join('\n'))
    }),
  )
}

/** Writes a program `plumb` into a folder, for hooks of others that find it by their PATH. Answers its path. */
export async function writePlumb(folder: string, parts: Omit<HookParts, 'templates'>): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o755 })
  return writeProgram(join(folder, 'plumb'), `#!/bin/sh\nexec ${callOf(parts, '"$@"')}\n`)
}

function callOf({ command, settings }: Omit<HookParts, 'templates'>, words: string): string {
  return [...command.map(quoted), words, ...settingWords(settings).map(quoted)].join(' ')
}

async function writeProgram(path: string, text: string): Promise<string> {
  await writeFile(`${path}.new`, text)
  await chmod(`${path}.new`, 0o755)
  await rename(`${path}.new`, path)
  return path
}

/** A word in quotes, literal to a shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
