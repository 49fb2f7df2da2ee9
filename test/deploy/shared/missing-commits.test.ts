import { expect, it } from 'vitest'
import { MissingCommits } from '../../../src/deploy/shared/missing-commits.ts'

const id = (number: number) => number.toString(16).padStart(40, '0')

/** Places that have these commits, with the number of times that each was asked. */
function places({ shared = [], sources = [] }: { shared?: readonly string[]; sources?: readonly string[] }) {
  const here = new Set<string>()
  const asked = { shared: 0, sources: 0 }
  const said: string[] = []
  const commits = new MissingCommits({
    has: async (commit) => here.has(commit),
    async fetchCommits(wanted) {
      asked.shared++
      for (const each of wanted) if (shared.includes(each)) here.add(each)
    },
    async fetchSources() {
      asked.sources++
      for (const each of sources) here.add(each)
    },
    say: (_, message) => void said.push(message),
  })
  return { commits, here, asked, said }
}

it('comes from the shared repository, and then no source is fetched', async () => {
  const { commits, here, asked } = places({ shared: [id(1)] })
  await commits.find(id(1))
  expect([here.has(id(1)), asked]).toEqual([true, { shared: 1, sources: 0 }])
})

it('comes from a source where no server has deployed it', async () => {
  const { commits, here } = places({ sources: [id(2)] })
  await commits.find(id(2))
  expect(here.has(id(2))).toBe(true)
})

it('makes two looks for any number of them that are asked for at once, and one fetch of sources', async () => {
  const { commits, asked } = places({})
  await Promise.all(Array.from({ length: 500 }, (_, number) => commits.find(id(number))))
  expect(asked.shared).toBeLessThanOrEqual(2)
  expect(asked.sources).toBe(1)
  await Promise.all(Array.from({ length: 500 }, (_, number) => commits.find(id(number))))
  expect(asked.shared).toBeLessThanOrEqual(2)
})

it('leaves out what is beyond the bound, and is no error where places are away', async () => {
  const said: string[] = []
  const commits = new MissingCommits({
    has: async () => false,
    fetchCommits: () => Promise.reject(new Error('away')),
    fetchSources: async () => {},
    say: (_, message) => void said.push(message),
  })
  await Promise.all(Array.from({ length: 3000 }, (_, number) => commits.find(id(number))))
  expect(said.length).toBeGreaterThan(0)
  expect(said[0]).toBe('Could not search for commits of other servers: away')
})

it('ends with the server', async () => {
  const { commits } = places({})
  await commits.find(id(1))
  const waits = commits.find(id(2))
  await commits.close()
  await waits
})
