// serve.js WHICH FOLDER: real Puppet Server (`puppet`), or ours (`plumb`), with the code that code.js put into FOLDER, as
// `localhost` at port 8140 of the network that it runs in; its authority signs whatever comes. It says "ready", and ends on TERM.
import { spawn } from 'node:child_process'
import { mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { main } from '../../bench/server/plumbline.js'
import { startPuppetServer } from '../../bench/server/puppet-server.js'
import { placesOfCode } from './code.js'
import { homeOfServer } from './roots.js'

const [which, folder] = process.argv.slice(2)
const port = 8140
/** As both agents are told to: modules of these years have doubtful code. */
const lenient = { strict: 'warning', strict_variables: 'false' }

async function startReal() {
  const { codedir } = placesOfCode(folder)
  const home = homeOfServer(folder, which)
  mkdirSync(home, { recursive: true })
  const given = { codedir, port, instances: 1, deployer: 'nobody.test', flush: () => undefined, settings: lenient }
  return startPuppetServer(home, given)
}

async function startOurs() {
  const home = homeOfServer(folder, which)
  mkdirSync(home, { recursive: true })
  const settings = {
    ...lenient,
    code_repo: placesOfCode(folder).repository,
    confdir: join(home, 'etc'),
    vardir: join(home, 'var'),
    certname: 'localhost',
    serverport: String(port),
    bindaddress: '127.0.0.1',
    autosign: 'true',
  }
  const words = Object.entries(settings).flatMap(([name, value]) =>
    value === 'false' ? [`--no-${name}`] : [`--${name}`, value],
  )
  const log = openSync(join(home, 'output'), 'w')
  const server = spawn(process.execPath, [main, 'server', ...words], { stdio: ['ignore', 'pipe', log] })
  const ended = new Promise((done) => server.once('exit', done))
  await new Promise((done, failed) => {
    server.stdout?.once('data', done)
    ended.then((status) => failed(new Error(`the server ended with ${status}; see ${home}/output`)))
  })
  return {
    async stop() {
      server.kill('SIGTERM')
      await ended
    },
  }
}

const server = await (which === 'puppet' ? startReal() : startOurs())
process.once('SIGTERM', () => server.stop().then(() => process.exit(0)))
console.log('ready')
