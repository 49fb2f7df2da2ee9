import { createBudget, KiB } from './budget.ts'

/** Budgets of capacity plans, which operators request on the command line. */
// biome-ignore format: one line per budget
export const capacityBudgets = {
  nodes: createBudget(10_000_000, 'items', 'nodes of a capacity plan', 'a hundred times the largest known site', 'the command prints an error'),
  simulatedRuns: createBudget(50_000, 'items', 'agent runs that are simulated for one server', 'the 99th percentile has 500 runs above it, and a simulation takes a tenth of a second', 'the simulation covers the first part of the interval'),
  servers: createBudget(1000, 'items', 'servers of a capacity plan', 'each number is simulated in turn', 'the command prints an error'),
  cores: createBudget(1024, 'items', 'processor cores of a server in a capacity plan', 'the largest machines have some hundred', 'the command prints an error'),
  resources: createBudget(1_000_000, 'items', 'resources of a catalog in a capacity plan', 'a catalog of a hundred thousand resources takes minutes', 'the command prints an error'),
  costFile: createBudget(64 * KiB, 'bytes', 'a file of measured costs', 'it has about twenty numbers', 'the command prints an error'),
}
