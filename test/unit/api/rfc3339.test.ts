import { expect } from 'chai';
import fc from 'fast-check';

import { readTime } from '../../../api/http/rfc3339.ts';

const timeOf = (text: string): string => {
  const read = readTime(text);
  return read.ok ? read.time : read.why;
};
const digits = (value: number, length = 2): string => String(value).padStart(length, '0');

describe('a time in a query', () => {
  it('is given on in UTC to the microsecond, whatever its zone and digits', () => {
    for (const [text, time] of [
      ['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.000000Z'],
      ['2026-01-31t09:00:00z', '2026-01-31T09:00:00.000000Z'],
      ['2026-01-31T09:00:00.5Z', '2026-01-31T09:00:00.500000Z'],
      ['2026-01-31T09:00:00.1234569Z', '2026-01-31T09:00:00.123456Z'],
      ['2026-01-31T23:30:00-01:15', '2026-02-01T00:45:00.000000Z'],
      ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000000Z'],
      ['2026-01-01T00:00:00-00:00', '2026-01-01T00:00:00.000000Z'],
    ] as const)
      expect(timeOf(text), text).to.equal(time);
  });

  it('knows the calendar, with its leap years', () => {
    for (const day of ['2028-02-29', '2000-02-29', '2026-04-30', '2026-12-31'])
      expect(timeOf(`${day}T00:00:00Z`), day).to.equal(`${day}T00:00:00.000000Z`);
    for (const day of [
      ...['2026-02-29', '2100-02-29', '2026-02-30', '2026-04-31', '2026-00-10', '2026-13-01', '2026-01-00'],
      ...['2026-01-32', '0000-02-30'],
    ])
      expect(timeOf(`${day}T00:00:00Z`), day).to.equal('unreal');
  });

  it('knows the clock: no hour 24, no zone beyond a day', () => {
    for (const clock of ['24:00:00Z', '23:60:00Z', '12:00:61Z', '12:00:00+24:00', '12:00:00+01:60'])
      expect(timeOf(`2026-01-31T${clock}`), clock).to.equal('unreal');
  });

  it('takes a leap second for the second after it, and only in the last minute of a day in UTC', () => {
    expect(timeOf('2016-12-31T23:59:60Z')).to.equal('2017-01-01T00:00:00.000000Z');
    expect(timeOf('2016-12-31T15:59:60.25-08:00')).to.equal('2017-01-01T00:00:00.250000Z');
    expect(timeOf('2017-01-01T00:59:60+01:00')).to.equal('2017-01-01T00:00:00.000000Z');
    for (const text of ['2016-12-31T23:58:60Z', '2016-12-31T22:59:60Z', '2016-12-31T23:59:60+01:00'])
      expect(timeOf(text), text).to.equal('unreal');
  });

  it('takes every year, as far as there are rows', () => {
    expect(timeOf('0000-01-01T00:00:00Z')).to.equal('1970-01-01T00:00:00.000000Z');
    expect(timeOf('0099-12-31T23:59:59+23:59')).to.equal('1970-01-01T00:00:00.000000Z');
    expect(timeOf('1969-12-31T23:59:59.999999Z')).to.equal('1970-01-01T00:00:00.000000Z');
    expect(timeOf('9999-12-31T23:59:59.999998Z')).to.equal('9999-12-31T23:59:59.999998Z');
    expect(timeOf('9999-12-31T23:59:59-00:01')).to.equal('9999-12-31T23:59:59.999999Z');
  });

  it('has one form', () => {
    for (const text of [
      ...['', 'yesterday', '2026-01-31', '2026-01-31T09:00Z', '2026-01-31T09:00:00', '2026-01-31 09:00:00Z'],
      ...[
        '2026-01-31T09:00:00.Z',
        '2026-01-31T09:00:00,5Z',
        '2026-01-31T09:00:00+01',
        '2026-01-31T09:00:00+0100',
      ],
      ...['2026-1-31T09:00:00Z', '12026-01-31T09:00:00Z', '+002026-01-31T09:00:00Z', '20260131T090000Z'],
      ...['2026-W05-6T09:00:00Z', ' 2026-01-31T09:00:00Z', '2026-01-31T09:00:00Z\n', '٢٠٢٦-01-31T09:00:00Z'],
    ])
      expect(timeOf(text), text).to.equal('form');
  });

  it('is the instant that it says: as JavaScript reads it, and the same in every zone', () => {
    const instant = fc.date({ min: new Date(0), max: new Date('9998-12-31T00:00:00Z'), noInvalidDate: true });
    fc.assert(
      fc.property(instant, fc.integer({ min: -1439, max: 1439 }), fc.nat(999), (at, zone, micros) => {
        const local = new Date(at.getTime() + zone * 60_000).toISOString();
        fc.pre(!local.startsWith('-') && !local.startsWith('+'));
        const [hours, minutes] = [Math.floor(Math.abs(zone) / 60), Math.abs(zone) % 60];
        const suffix = `${zone < 0 ? '-' : '+'}${digits(hours)}:${digits(minutes)}`;
        const text = local.replace('Z', `${digits(micros, 3)}${suffix}`);
        expect(timeOf(text)).to.equal(at.toISOString().replace('Z', `${digits(micros, 3)}Z`));
      }),
    );
  });

  it('is a day exactly when the calendar has it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1970, max: 9999 }), fc.nat(99), fc.nat(99), (year, month, day) => {
        const text = `${digits(year, 4)}-${digits(month)}-${digits(day)}`;
        const days = month >= 1 && month <= 12 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0;
        const exists = day >= 1 && day <= days;
        expect(timeOf(`${text}T00:00:00Z`)).to.equal(exists ? `${text}T00:00:00.000000Z` : 'unreal');
      }),
    );
  });
});
