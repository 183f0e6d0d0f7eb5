/** The header that offers a download under its name (RFC 6266): in ASCII for old readers, and in UTF-8. */
export function attachment(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const utf8 = encodeURIComponent(filename.toWellFormed()).replace(/['()*]/g, percentEncode);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`;
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
