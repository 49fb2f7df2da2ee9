import { setTimeout as sleep } from 'node:timers/promises'
import { defineIssues, isIssue, throwIssue } from '../../base/issue.ts'
import type { OrderProgress } from '../../model/orders/order-state.ts'
import { ResponseError } from '../../network/client/errors.ts'
import { type CommandInvocation, defineCommand, type Io } from '../command/command.ts'
import { type Option, renderAs, runExitcodes } from '../command/options.ts'
import { onTerminationSignal } from '../command/termination-signals.ts'
import { tokenOptions } from '../connection/token-session.ts'
import { type RunClient, type RunOrderRequest, type RunProgress, unknownBatch, withRunClient } from './run-client.ts'
import { computeRunExitStatus, formatOrderLine, formatRunSummary, hasOpenOrders, RunWatch } from './run-progress.ts'

const issues = defineIssues({
  NO_RUN_NODES: {
    text: (_: object) => 'No nodes given',
    hint: () => `Name nodes, or select them with --query, such as 'nodes[certname] { certname ~ "^web" }'.`,
  },
  RUN_CONCURRENCY: {
    text: (a: { value: string }) => `--concurrency requires a positive number, not '${a.value}'`,
  },
})

const runOptions = [
  { flags: '-q, --query <pql>', doc: 'Run the nodes in the result of this query.' },
  { flags: '--wave <name>', doc: "Run the nodes of a wave of the environment's current rollout." },
  { flags: '--concurrency <number>', doc: 'Run at most N nodes at the same time.' },
  { flags: '--no-wait', doc: 'Do not wait for the results; print the ID of the batch.' },
  runExitcodes,
  renderAs,
  ...tokenOptions,
] as const satisfies readonly Option[]

type RunInvocation = CommandInvocation<typeof runOptions>

/** Milliseconds between two requests for the progress. */
const pollMs = 500
/** Milliseconds during which the server may be unavailable. */
const outageMs = 60_000

/** The command `plumb run`. */
export const runCommand = defineCommand({
  name: 'run',
  summary: 'Order nodes to run their agents now.',
  description: `Sends an order to each node through the connection that its agent service keeps to the server (see orders.md), and
prints a line for each change: sent, started, and the result with the commit and the report. Nodes that are not connected
are listed as such. --noop, --tags and --environment apply to the runs; without them, each node uses its own settings.

Without --server, orders runs of the server on this machine. With --server, authenticates with the certificate of this
host or with a token of the scope run. With a token, --query also needs the scope query, and --environment is refused,
except to name the rollout of --wave.

Ctrl-C stops the runs that have not started and waits for the others; a second Ctrl-C exits at once. With json, prints an
object for each change. Exits with 0 if all runs succeeded, with 4 if a run had failures, or with 1 if a run did not take
place; with --detailed-exitcodes, also with 2 or 6 for changes.

  plumb run web1.example.com web2.example.com --noop
  plumb run --query 'inventory[certname] { facts.os.name = "Debian" }' --concurrency 20
  plumb run --wave canary --environment production
  plumb run --query 'nodes[certname] {}' --tags ntp --server puppet.example.com --token-file ~/.plumb/token`,
  usage: '[nodes...]',
  options: runOptions,
  async run(invocation) {
    const request = buildRequest(invocation)
    return withRunClient(invocation, async (client) => {
      const id = await client.start(request)
      return followBatch(client, id, invocation)
    })
  },
})

/** The request of the command line. Throws NO_RUN_NODES, RUN_CONCURRENCY. */
function buildRequest({ args, options, settings }: RunInvocation): RunOrderRequest {
  const { concurrency, query, wave } = options
  if (concurrency !== undefined && !/^[1-9]\d{0,6}$/.test(concurrency))
    throwIssue(issues.RUN_CONCURRENCY, { value: concurrency })
  const { environment, noop, tags = '' } = settings
  return {
    ...selectNodes(args, { query, wave }),
    ...(environment !== undefined && { environment }),
    noop: noop === 'true',
    tags: tags.split(',').flatMap((each) => each.trim() || []),
    ...(concurrency !== undefined && { at_once: Number(concurrency) }),
  }
}

/** The nodes of the command line: names, a query and a wave that the server resolves. Throws NO_RUN_NODES. */
function selectNodes(
  names: readonly string[],
  { query, wave }: { readonly query: string | undefined; readonly wave: string | undefined },
): Pick<RunOrderRequest, 'nodes' | 'query' | 'wave'> {
  const nodes = names.map((name) => name.toLowerCase())
  if (nodes.length === 0 && query === undefined && wave === undefined) throwIssue(issues.NO_RUN_NODES, {})
  return { nodes, ...(query !== undefined && { query }), ...(wave !== undefined && { wave }) }
}

/** Prints the progress of a batch until its end. Returns the exit status. */
async function followBatch(client: RunClient, id: string, { options, io }: RunInvocation): Promise<number> {
  const isJson = options.renderAs === 'json'
  if (options.wait === false) {
    io.out(isJson ? `${JSON.stringify({ batch: id })}\n` : `${id}\n`)
    return 0
  }
  onTerminationSignal(() => {
    io.err('Stopping the runs that have not started; press Ctrl-C again to exit at once\n')
    client.stop(id).catch((error: Error) => io.err(`Could not stop the runs: ${error.message}\n`))
  })
  const watch = new RunWatch()
  for (;;) {
    const progress = await readPatiently(client, id, watch.since)
    for (const order of watch.update(progress)) printOrder(order, io, isJson)
    if (!hasOpenOrders(progress)) break
    await sleep(pollMs)
  }
  if (!isJson) io.out(`${formatRunSummary(watch.results)}\n`)
  return computeRunExitStatus(watch.results, options.detailedExitcodes === true)
}

/** Reads the progress. The batch survives a restart of the server, so an unavailable server is asked again. */
async function readPatiently(client: RunClient, id: string, since: number): Promise<RunProgress> {
  for (const deadline = Date.now() + outageMs; ; ) {
    try {
      return await client.read(id, since)
    } catch (error) {
      if (isIssue(error, unknownBatch) || error instanceof ResponseError || Date.now() > deadline) throw error
      await sleep(2 * pollMs)
    }
  }
}

function printOrder(order: OrderProgress, io: Io, isJson: boolean): void {
  io.out(`${isJson ? JSON.stringify(order) : formatOrderLine(order)}\n`)
}
