/** A resource of a catalog as JSON. */
export const resource = (type: string, title: string, parameters: object, more: object = {}) => ({
  type,
  title,
  tags: [type.toLowerCase()],
  exported: false,
  parameters,
  ...more,
})

/** A catalog as JSON: the resources in Class[Main] of Stage[main]. */
export function catalogOf(resources: readonly object[], more: object = {}) {
  const stage = { type: 'Stage', title: 'main', tags: ['stage'], exported: false, parameters: { name: 'main' } }
  const main = { type: 'Class', title: 'Main', tags: ['class'], exported: false, kind: 'class' }
  const contains = resources.map((each) => ({
    source: 'Class[Main]',
    target: `${(each as { type: string }).type}[${(each as { title: string }).title}]`,
  }))
  const edges = [{ source: 'Stage[main]', target: 'Class[Main]' }, ...contains]
  const head = { name: 'vm', version: 1, environment: 'production', catalog_format: 1 }
  return { tags: ['settings'], ...head, resources: [stage, main, ...resources], edges, classes: [], ...more }
}

/** Shell command that writes the catalog. */
export const write = (text: string) => `cat > @/../c.json <<'END'\n${text}\nEND`

/** Shell command that writes a catalog of resources. */
export const put = (...resources: readonly object[]) => write(JSON.stringify(catalogOf(resources)))

/** Command that applies the written catalog. */
export const apply = (...words: readonly string[]) => ['apply', '--catalog', '@/../c.json', ...words]
