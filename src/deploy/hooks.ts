import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineIssues, fail } from '../base/issue.ts'
import { git } from '../git/git-command.ts'

const issues = defineIssues({
  HOOK_EXISTS: {
    text: (a: { path: string }) => `There is another hook at ${a.path}`,
    hint: () => "Call 'plumb code check --stdin' or 'plumb code notify' from it, or take it away and try again.",
  },
})

const names = ['pre-receive', 'post-receive'] as const
/** By this line we know a hook of ours again. */
const mark = '# A hook of Plumbline'

/**
 * Puts our hooks into a repository: what stands in `templates`, with the very program and settings to call. Throws
 * HOOK_EXISTS rather than replace a stranger's. Answers the paths.
 */
export async function installHooks(options: {
  readonly gitDir: string
  /** The folder with the hooks as they are shipped. */
  readonly templates: string
  /** Program and arguments that are `plumb`. */
  readonly command: readonly string[]
  /** Settings to hand on: `--rundir /run/plumb`. */
  readonly settings: Readonly<Record<string, string>>
}): Promise<readonly string[]> {
  const { gitDir, templates, command, settings } = options
  const paths = names.map((name) => join(gitDir, 'hooks', name))
  for (const path of paths) {
    const before = await readFile(path, 'utf8').catch(() => undefined)
    if (before !== undefined && !before.includes(mark)) fail(issues.HOOK_EXISTS, { path })
  }
  await mkdir(join(gitDir, 'hooks'), { recursive: true })
  const given = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const call = `plumb() { ${command.map(quoted).join(' ')} "$@" ${given.map(quoted).join(' ')}; }`
  for (const [index, name] of names.entries()) {
    const [first = '', ...rest] = (await readFile(join(templates, name), 'utf8')).split('\n')
    await writeFile(`${paths[index]}.new`, [first, call.trimEnd(), ...rest].join('\n'))
    await chmod(`${paths[index]}.new`, 0o755)
    await rename(`${paths[index]}.new`, paths[index]!)
  }
  // Without it git refuses `git push -o`; whether an option counts is for the hook to say.
  await git({ gitDir, quarantine: false }, ['config', 'receive.advertisePushOptions', 'true'])
  return paths
}

/** A word in quotes, literal to a shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
