/** Characters of a text of a server in messages. */
const mostCharacters = 1000

/**
 * Returns the start of a text of a server, without the credentials and tokens that the server repeats: as they are, or
 * encoded for a URL, a form or JSON.
 */
export function hideTexts(text: string, hidden: readonly string[]): string {
  const forms = hidden.filter((each) => each !== '').flatMap(listForms)
  // A form may contain another one, so that the longest is replaced first.
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length)
  const shown = longestFirst.reduce((kept, each) => kept.replaceAll(each, '[redacted]'), text)
  return shown.trim().slice(0, mostCharacters)
}

function listForms(text: string): readonly string[] {
  const encoded = [
    encodeURIComponent(Buffer.from(text).toString()),
    new URLSearchParams({ '': text }).toString().slice(1),
  ]
  const lowerCase = encoded.map((each) => each.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()))
  const json = JSON.stringify(text).slice(1, -1)
  return [text, ...encoded, ...lowerCase, json, json.replaceAll('/', '\\/')]
}
