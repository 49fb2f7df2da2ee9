import { type ApplyCase, refused } from '../beside-puppet/apply-case.ts'

/** Manifests by what they show; a text is a manifest that begins with nothing. */
export type Manifests = Readonly<Record<string, string | ApplyCase>>

/** Manifests of which nothing is applied, by what is wrong with them. */
export function wrong(manifests: Readonly<Record<string, string>>): Manifests {
  return Object.fromEntries(Object.entries(manifests).map(([name, manifest]) => [name, refused(manifest)]))
}

/** Values that an attribute of a type does not take: a manifest for each, in noop lest one be taken after all. */
export function wrongValues(
  type: string,
  title: string,
  values: Readonly<Record<string, readonly string[]>>,
): Manifests {
  const rows = Object.entries(values).flatMap(([attribute, all]) =>
    all.map((value): [string, ApplyCase] => [
      `${type} with ${attribute} => ${value}`,
      { ...refused(`${type} { '${title}': ${attribute} => ${value} }`), noop: true },
    ]),
  )
  return Object.fromEntries(rows)
}
