import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../support/scratch-folder.ts'
import { serve } from './serving.ts'

function routeFile(yaml: string): Readonly<Record<string, string>> {
  const folder = scratchFolder('routes')
  writeFileSync(join(folder, 'routes.yaml'), yaml)
  return { route_file: join(folder, 'routes.yaml'), environmentpath: folder }
}

describe('routes.yaml', () => {
  it("takes Puppet's names of what there is", async () => {
    const serving = await serve(
      routeFile(`master:
  facts: {terminus: memory, cache: json}
  catalog: {cache: json}
  node: {terminus: plain, cache: none}
  report: {terminus: processor}
  file_metadata: {terminus: selector}
  file_content: {terminus: file_server}
  file_bucket_file: {terminus: selector}
  data_binding: {terminus: hiera}
  resource: {terminus: ral}
`),
    )
    expect((await serving.call('GET', '/status/v1/simple')).text).toBe('running')
    await serving.stop()
  })

  it.each([
    ['report: {terminus: store}', 'Could not find terminus store for indirection report'],
    ['file_metadata: {cache: json}', 'Could not find terminus json for indirection file_metadata'],
    ['data_binding: {terminus: none}', 'Could not find terminus none for indirection data_binding'],
    ['certificate_status: {terminus: ca}', 'Indirection certificate_status does not exist'],
  ])('stops the start with %s', async (route, message) => {
    await expect(serve(routeFile(`server: {${route}}\n`))).rejects.toThrow(`Could not configure routes from`)
    await expect(serve(routeFile(`server: {${route}}\n`))).rejects.toThrow(message)
  })
})
