import { createBudget, GiB, MiB } from './budget.ts'

/** Budgets of bundles, which carry code, gems and catalogs to a site without network. */
// biome-ignore format: one line per budget
export const bundleBudgets = {
  manifest: createBudget(16 * MiB, 'bytes', 'the manifest of a bundle', 'ten thousand catalogs take about 3 MiB', 'the bundle is rejected'),
  code: createBudget(8 * GiB - 1, 'bytes', 'the commits and modules in a bundle', 'the largest size in the header of a tar archive', 'the bundle is not created, or rejected'),
  catalog: createBudget(256 * MiB, 'bytes', 'a catalog in a bundle', 'a catalog with ten thousand resources has about 10 MiB', 'the bundle is not created, or rejected'),
  environments: createBudget(1000, 'items', 'environments in a bundle', 'a site has about a dozen', 'the bundle is rejected'),
  since: createBudget(2000, 'items', 'commits that a bundle requires', 'two for each environment', 'the bundle is rejected'),
  gems: createBudget(1000, 'items', 'gems in a bundle', 'a node has a few dozen gems', 'the bundle is rejected'),
  catalogs: createBudget(20_000, 'items', 'catalogs in a bundle', 'the nodes of a large site', 'the bundle is rejected'),
} as const
