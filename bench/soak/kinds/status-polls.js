// Anybody's questions about the status, many a second.

const paths = [
  '/status/v1/services?level=debug',
  '/status/v1/simple',
  '/status/v1/services/server?level=critical',
  '/status/v1/services?level=zz',
]

export const statusPolls = {
  every: 1,
  act: ({ together, ask }) =>
    together(10, async (number) => (await ask(undefined, { path: paths[number % paths.length] })).status),
}
