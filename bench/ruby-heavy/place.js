// The code that both compile: a working tree, which real Puppet reads, and a bare repository of it, which we serve.
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { changedFile, fleetData, program, siteFiles, siteNodes } from './site.js'

/** The made-up site, or one of the user's own, in a folder of its own: what is given is not touched. */
export function codeOf(folder, options) {
  const work = join(folder, 'code/environments/production')
  mkdirSync(work, { recursive: true })
  const isOwn = options.site !== undefined || options.repo !== undefined
  if (options.site !== undefined) cpSync(options.site, work, { recursive: true, filter: (path) => !isGit(path) })
  else if (options.repo !== undefined) checkOut(folder, work, options)
  else for (const [path, text] of siteFiles()) write(join(work, path), text)
  return {
    ...repositoryOf(folder, work, isOwn ? ownChange(work, options.data) : madeUpChange(work)),
    nodes: isOwn ? givenNodes(options) : siteNodes(),
    generators: isOwn ? options.generators : program,
  }
}

function isGit(path) {
  return path.endsWith('/.git') || path.includes('/.git/')
}

function checkOut(folder, work, { repo, ref }) {
  const archive = join(folder, 'code.tar')
  execFileSync('git', ['-C', repo, 'archive', `--output=${archive}`, '--end-of-options', ref])
  execFileSync('tar', ['-xf', archive, '-C', work])
}

function repositoryOf(folder, work, change) {
  const bare = join(folder, 'code.git')
  const git = (...words) => execFileSync('git', words, { cwd: work, stdio: 'ignore' })
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=production', bare])
  git('init', '--quiet', '--initial-branch=production')
  git('config', 'user.name', 'Bench')
  git('config', 'user.email', 'bench@example.test')
  git('add', '--all', '--force')
  git('commit', '--quiet', '--message', 'Control repository')
  const push = () => git('push', '--quiet', bare, 'production')
  push()
  return {
    bare,
    work,
    environmentpath: dirname(work),
    push,
    /** Changes one file of data, as the working tree has it; `push` brings it to the bare repository. */
    change(number) {
      change(number)
      git('commit', '--quiet', '--all', '--message', `Change ${number}`)
    },
  }
}

function madeUpChange(work) {
  return (number) => write(join(work, changedFile), fleetData(number))
}

/** Of a file of the user's one line more. */
function ownChange(work, data) {
  return (number) => appendFileSync(join(work, data), `\nplumb_bench_revision_${number}: ${number}\n`)
}

function givenNodes({ nodes, 'facts-dir': factsFolder }) {
  const lines = readFileSync(nodes, 'utf8').split('\n')
  const names = lines.map((line) => line.replace(/#.*/, '').trim()).filter(Boolean)
  return new Map(
    names.map((name) => {
      const facts = JSON.parse(readFileSync(join(factsFolder, `${name}.json`), 'utf8'))
      return [name, facts.values ?? facts]
    }),
  )
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
