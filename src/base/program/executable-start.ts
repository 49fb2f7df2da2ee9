import { isAbsolute } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { CachedCode } from './cached-code.ts'
import { runInLimitedThread, takeChildScript } from './script-process.ts'

/**
 * The first script of the single executable, in each of its processes and threads: loads the command line, the script
 * that the parent process selected, or the script of the thread.
 */
const mainScript = `${process.execPath}/dist/cli/process.js`

function load(script: string): unknown {
  const folder = `${process.execPath}/dist/`
  const name = script.slice(folder.length, -'.js'.length).replaceAll('/', '.')
  return new CachedCode().load(`${folder}bundle/${name}.cjs`)
}

// Without /proc, Node takes the name in the command for the path: `plumb` would be a file in the working directory, from
// which the program's code would be loaded.
if (!isAbsolute(process.execPath)) {
  process.stderr.write('Error: /proc is not mounted. Start the program by its absolute path.\n')
  process.exit(1)
}

const child = isMainThread ? takeChildScript(process.env) : { path: process.argv[2]!, heapMb: undefined }
if (child === undefined) {
  const { runProcess } = load(mainScript) as { runProcess(): Promise<number> }
  void runProcess().then((status) => {
    process.exitCode = status
  })
} else if (child.heapMb === undefined) load(child.path)
else void runInLimitedThread(child.path, child.heapMb)
