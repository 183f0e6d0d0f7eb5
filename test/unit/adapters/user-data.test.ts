import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect } from 'chai';

import { frameOf, USER_DATA_BYTES, userDataOf } from '../../../src/adapters/instances/user-data.ts';
import type { MachineOrder } from '../../../src/adapters/instances/user-data.ts';
import { tuned } from '../../support/tuning.ts';

const ORDER: MachineOrder = {
  image: `registry.example.org/dockyard-compute@sha256:${'0123456789abcdef'.repeat(4)}`,
  gpus: 0,
  settings: { DOCKYARD_GATEWAY_URL: 'https://gateway.example.org', ...tuned({ contactSeconds: 5 }) },
  deadManMinutes: 30,
  lifetimeMinutes: 48 * 60,
};
const CREDENTIAL = 'bGF1bmNo.c2lnbmVk';
const textOf = (order: MachineOrder): string => userDataOf(frameOf(order), CREDENTIAL);
const SNAPSHOT = fileURLToPath(new URL('../../fixtures/user-data.sh', import.meta.url));

describe('the user-data of a machine', () => {
  it('is the text that was frozen, in every attempt', () => {
    // A change of this text is a change of what every new machine runs; a launch that is under way keeps the text of its row.
    expect(textOf(ORDER)).to.equal(readFileSync(SNAPSHOT, 'utf8'));
    const other = { ...ORDER.settings };
    expect(textOf({ ...ORDER, settings: Object.fromEntries(Object.entries(other).reverse()) })).to.equal(
      textOf(ORDER),
    );
  });

  it('is a script that the shell can read, for every kind of machine', () => {
    const orders = [
      ORDER,
      { ...ORDER, gpus: 4 },
      { ...ORDER, image: `123456789012.dkr.ecr.eu-west-2.amazonaws.com/compute@sha256:${'a'.repeat(64)}` },
      { ...ORDER, deadManMinutes: 0.1, lifetimeMinutes: 0.5, lookSeconds: 1 },
    ];
    for (const order of orders) {
      execFileSync('bash', ['-n'], { input: textOf(order) });
      // The watcher is a script within the script.
      const [, watcher = ''] = /<<'WATCHER'\n([\s\S]*?)\nWATCHER\n/.exec(textOf(order)) ?? [];
      expect(watcher.length).to.be.greaterThan(500);
      execFileSync('bash', ['-n'], { input: watcher });
    }
  });

  it('gives the container GPUs and a private registry only where the order has them', () => {
    expect(textOf(ORDER)).to.not.include('--gpus').and.not.include('ecr-login');
    expect(textOf({ ...ORDER, gpus: 1 })).to.include('--gpus all');
    const ecr = `123456789012.dkr.ecr.eu-west-2.amazonaws.com/compute@sha256:${'a'.repeat(64)}`;
    expect(textOf({ ...ORDER, image: ecr })).to.include(
      '{"credHelpers":{"123456789012.dkr.ecr.eu-west-2.amazonaws.com":"ecr-login"}}',
    );
  });

  it('never gives the container a right on the machine, nor the credential a place on a command line', () => {
    const text = textOf({ ...ORDER, gpus: 1 });
    expect(text).to.not.match(/--privileged|--network host|docker\.sock|--pid host|--cap-add/);
    expect(text)
      .to.include('--cap-drop ALL')
      .and.include('no-new-privileges')
      .and.include('-d 169.254.0.0/16 -j DROP');
    const lines = text.split('\n').filter((line) => line.includes(CREDENTIAL));
    expect(lines, 'alone on a line of a file').to.deep.equal([CREDENTIAL]);
  });

  it('refuses what could break out of the text, and what no machine may be told', () => {
    const bad: readonly Partial<MachineOrder>[] = [
      { image: 'dockyard-compute:latest' },
      { image: `x'; rm -rf /; '@sha256:${'a'.repeat(64)}` },
      { settings: { DOCKYARD_GATEWAY_URL: 'https://a\nENVIRONMENT\nreboot' } },
      { settings: { 'A=B': 'c' } },
      { settings: { LONG: 'x'.repeat(USER_DATA_BYTES) } },
    ];
    for (const one of bad) expect(() => frameOf({ ...ORDER, ...one })).to.throw(RangeError);
    for (const credential of ['two\nlines-of-a-credential', '$(reboot)'.repeat(4), ''])
      expect(() => userDataOf(frameOf(ORDER), credential)).to.throw(RangeError);
    expect(() => userDataOf('#!/bin/bash\n', CREDENTIAL)).to.throw(RangeError);
  });

  it('is kept without its credential, whose place no setting can take', () => {
    const sly = { ...ORDER, settings: { ...ORDER.settings, A: '@CREDENTIAL@' } };
    for (const order of [ORDER, sly]) {
      expect(frameOf(order)).to.not.include(CREDENTIAL);
      const lines = textOf(order).split('\n');
      expect(lines.filter((line) => line.includes(CREDENTIAL))).to.deep.equal([CREDENTIAL]);
      expect(lines.toSpliced(lines.indexOf(CREDENTIAL), 1, '@CREDENTIAL@').join('\n')).to.equal(
        frameOf(order),
      );
    }
    expect(textOf(sly)).to.include('\nA=@CREDENTIAL@\n');
  });
});
