// Code of which each commit says in three places which one it is: its manifest, its data, and its module.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Who commits, and no configuration of the user's. */
export const gitVariables = {
  GIT_AUTHOR_NAME: 'Faults',
  GIT_AUTHOR_EMAIL: 'faults@example.test',
  GIT_COMMITTER_NAME: 'Faults',
  GIT_COMMITTER_EMAIL: 'faults@example.test',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
}

/** Runs git in a folder; answers what it printed, and throws what it complained about. */
export async function git(cwd, words, variables = {}) {
  const { stdout } = await run('git', words, { cwd, env: { ...process.env, ...gitVariables, ...variables } })
  return stdout.trim()
}

/** A module in a repository of its own. */
export function makeModule(folder) {
  const work = newWork(folder, 'motd', 'main')
  let number = 0
  const change = async () => {
    number++
    const files = {
      'manifests/init.pp': `class motd { notify { 'module ${number}': } }\n`,
      'files/motd': `${number}\n`,
    }
    return { number, commit: await commitFiles(work, files) }
  }
  /** @type {Promise<unknown>} */
  let last = Promise.resolve()
  return {
    work,
    /** Its next commit, with its number; one at a time. */
    change() {
      const next = last.then(change)
      last = next
      return next
    },
  }
}

/** A branch of control repositories, whose commits are numbered; `known` has what each of them says. */
export function makeBranch(folder, name, branch, module) {
  const work = newWork(folder, name, branch)
  const known = new Map()
  let number = 0
  return {
    work,
    branch,
    known,
    /** The next commit after `parent`, where there is one; of a module's commit. */
    async change(parent, motd) {
      number++
      if (parent !== undefined) await git(work, ['reset', '--quiet', '--hard', parent])
      const commit = await commitFiles(work, siteFiles(number, module, motd))
      known.set(commit, { number, module: motd.number })
      return commit
    },
  }
}

function siteFiles(number, module, motd) {
  return {
    Puppetfile: `mod 'motd', git: '${module.work}/.git', commit: '${motd.commit}'\n`,
    'hiera.yaml': '---\nversion: 5\nhierarchy:\n  - { name: common, path: common.yaml }\n',
    'data/common.yaml': `---\nnumber: ${number}\n`,
    'manifests/site.pp': `notify { 'manifest ${number}': }\nnotify { "data \${lookup('number')}": }\ninclude motd\n`,
  }
}

async function commitFiles(work, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(work, path, '..'), { recursive: true })
    writeFileSync(join(work, path), text)
  }
  await git(work, ['add', '--all'])
  await git(work, ['commit', '--quiet', '--message', 'A change'])
  return git(work, ['rev-parse', 'HEAD'])
}

function newWork(folder, name, branch) {
  const work = join(folder, name)
  execFileSync('git', ['init', '--quiet', `--initial-branch=${branch}`, work])
  return work
}

/** The numbers that a catalog has of its commit. */
export function numbersIn({ resources }) {
  const titles = resources.filter(({ type }) => type === 'Notify').map(({ title }) => title)
  const numberOf = (word) => {
    const found = titles.filter((title) => title.startsWith(`${word} `))
    return found.length === 1 ? Number(found[0].slice(word.length + 1)) : undefined
  }
  return { manifest: numberOf('manifest'), data: numberOf('data'), module: numberOf('module') }
}
