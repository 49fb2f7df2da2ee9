// Headers of a megabyte, thousands of headers, an address of 64 KB, thousands of parameters.

const shapes = [
  { path: '/status/v1/simple', headers: { 'X-Large': 'a'.repeat(1_000_000) } },
  {
    path: '/status/v1/simple',
    headers: Object.fromEntries(Array.from({ length: 5000 }, (_, number) => [`X-${number}`, 'a'])),
  },
  { path: `/status/v1/simple/${'a'.repeat(64_000)}` },
  { path: `/status/v1/simple?${'a=1&'.repeat(3500)}` },
  { path: `/status/v1/simple?${'%61'.repeat(4500)}` },
  { path: `/${'a/'.repeat(7000)}` },
]

export const giantHeaders = {
  every: 5,
  act: ({ together, ask }) => together(shapes.length, async (number) => (await ask(undefined, shapes[number])).status),
}
