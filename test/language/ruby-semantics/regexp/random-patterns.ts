import { fc } from '../../../support/properties.ts'

const characters = [...'aaabbcxAB01_-. \n', 'é', 'É', 'ß', 'k', 's', 'K', '😀', '\t', ':', '/']
const text = fc.array(fc.constantFrom(...characters), { maxLength: 8 }).map((all) => all.join(''))

const escapes =
  '\\d \\D \\w \\W \\s \\S \\h \\H \\n \\t \\. \\- \\/ \\x41 \\x{41} \\u0061 \\u{e9} \\u{1F600} \\u00e9 \\101 \\0 \\cA \\e ' +
  '\\p{Alpha} \\p{^Lower} \\P{Upper} \\p{L} \\p{Lu} \\p{Greek} \\p{Foo} \\y \\8 \\M-a'
const atoms = [
  'b(?#c)',
  ...'a b c A B . 1 _ é 😀 s k ß { } ] -'.split(' '),
  ...escapes.split(' '),
  ...'^ $ \\A \\z \\Z \\b \\B \\R \\G \\X \\K'.split(' '),
  ...'\\1 \\2 \\k<n> \\k<-1> \\k<1> \\g<n> \\g<1> \\g<-1> \\k<n+0>'.split(' '),
  ...'(?i) (?-i) (?m) (?x) (?mi-x)'.split(' '),
]
const members = [
  ...'a b c a-c A-Z 0-9 _ . - \\- é é-ü \\d \\w \\s \\W \\S \\h \\n \\] ß k \\b & ^'.split(' '),
  ...'[:alpha:] [:^alpha:] [:upper:] [:space:] [:word:] [:punct:] [:print:] [:foo:] \\p{L} \\P{Lower} &&[b-k] [ab] [^a] &&'
    .split(' ')
    .map((each) => (each.startsWith('[:') ? `[${each.slice(1)}` : each)),
]
const signs = '* + ? *? +? ?? *+ ++ ?+ {2} {1,2} {,2} {2,} {1,2}? {2}? {2}+ {0} {,} {3,1}'.split(' ')

const characterClass = fc
  .tuple(fc.constantFrom('', '', '^'), fc.array(fc.constantFrom(...members), { minLength: 0, maxLength: 4 }))
  .map(([not, inside]) => `[${not}${inside.join('')}]`)

const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie('part'), { maxLength: 4 }), { minLength: 1, maxLength: 2 })
    .map((branches) => branches.map((parts) => parts.join('')).join('|')),
  part: fc
    .tuple(
      fc.oneof(
        { depthSize: 'small' },
        { arbitrary: fc.constantFrom('a', 'b', 'c', 'A', '.', '\\w', '[ab]'), weight: 5 },
        { arbitrary: fc.constantFrom(...atoms), weight: 3 },
        { arbitrary: characterClass, weight: 2 },
        {
          arbitrary: fc
            .tuple(
              fc.constantFrom(...'( ( ( (?: (?: (?> (?= (?! (?<= (?<! (?<n> (?i: (?x: (?-m:'.split(' ')),
              tie('pattern'),
            )
            .map(([open, inside]) => `${open}${inside})`),
          weight: 4,
        },
      ),
      fc.option(fc.constantFrom(...signs), { freq: 3, nil: '' }),
    )
    .map(([atom, sign]) => atom + sign),
}))

/**
 * Patterns, right and wrong ones, and texts for them: the same for a seed. There is no `(?~…)` in them: it changed
 * between the Ruby here (3.4) and the one to compare with (3.1).
 */
export function randomPatterns(seed: number, count: number): [pattern: string, text: string][] {
  return fc.sample(fc.tuple(pattern, text), { seed, numRuns: count })
}
