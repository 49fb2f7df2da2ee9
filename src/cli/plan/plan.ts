import { loadSettings } from '../../machine/settings/settings.ts'
import { type CliCommand, defineCommand } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { planCapacity } from './capacity-plan.ts'
import { defaultCosts, readCosts } from './operation-costs.ts'
import { formatPlan } from './plan-text.ts'
import { readSiteFigures, siteOptions } from './site-options.ts'

const capacity = defineCommand({
  name: 'capacity',
  summary: 'Predict servers, database and network for a number of nodes.',
  description: `Prints the servers that a site needs, their load, the wait for a catalog in steady operation, after a push and after the
loss of a server, the load and size of the database, and the network traffic. The prediction is a simulation with
measured costs; it contacts no server.

The interval between runs is the setting runinterval, and reports are kept for the setting report_ttl. Waits assume that
no catalog is compiled ahead after a push. Test the prediction with your own code: costs depend on the machine and on
the catalogs. --costs reads costs from a file with lines such as 'compileResourceMs: 0.3'; docs/scaling.md lists them.

  plumb plan capacity --nodes 10000
  plumb plan capacity --nodes 10000 --runinterval 1h --resources 1200 --pushes 30 --changed 50%
  plumb plan capacity --nodes 2000 --servers 2 --cores 8 --render-as json

Exits with 0, or with 1 if a figure is invalid or no number of servers is sufficient.`,
  options: [
    ...siteOptions,
    { flags: '--costs <file>', doc: 'YAML or JSON file of costs measured on the machine of the servers.' },
    renderAs,
  ],
  async run({ options, settings: given, io }) {
    const site = readSiteFigures(options, loadSettings({ given, runMode: 'server' }))
    const costs = options.costs === undefined ? defaultCosts : await readCosts(options.costs)
    const plan = planCapacity(site, costs)
    if (options.renderAs === 'json') io.out(`${JSON.stringify({ site, plan, costs }, undefined, 2)}\n`)
    else io.out(formatPlan(site, plan, costs))
    return 0
  },
})

/** The command `plumb plan`. */
export const planCommand: CliCommand = {
  name: 'plan',
  summary: 'Predict the machines that a site needs.',
  commands: [capacity],
}
