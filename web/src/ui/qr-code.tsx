/** A text as a QR code: black on white in either theme, because that is what every camera reads, with the four clear squares around it. */
import encodeQr from 'qr';

const CLEAR = 4;

export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const rows = encodeQr(text, 'raw', { border: CLEAR });
  const squares = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  const box = `0 0 ${rows.length} ${rows.length}`;
  return (
    <svg role="img" aria-label={label} viewBox={box} width="200" height="200" shapeRendering="crispEdges">
      <rect width="100%" height="100%" fill="#ffffff" />
      <path d={squares.join('')} fill="#000000" />
    </svg>
  );
}
