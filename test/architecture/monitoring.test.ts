/** The profile `monitoring` of the compose file: off by default, and its dashboard asks for metrics that there are. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';
import { parse } from 'yaml';

import { projectRoot } from '../../src/stack/tools.ts';
import { isMetric, namesIn, ownMetrics } from '../support/promql/names.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}

interface Service {
  readonly profiles?: readonly string[];
  readonly image?: string;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');
const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
};
const MONITORING = ['prometheus', 'grafana'] as const;

describe('the profile monitoring', () => {
  const dashboard = JSON.parse(read('deploy/grafana/dashboards/dockyard.json')) as {
    uid: string;
    editable: boolean;
    panels: Panel[];
  };
  const graphs = dashboard.panels.filter(({ type }) => type !== 'row');

  it('is on where it is asked for, reachable from this host alone, and asks nobody outside', () => {
    for (const name of MONITORING) {
      expect(services[name]?.profiles, name).to.deep.equal(['monitoring']);
      for (const port of services[name]?.ports ?? []) expect(port, name).to.match(/^127\.0\.0\.1:/);
    }
    const others = Object.keys(services).filter((name) => services[name]?.profiles?.includes('monitoring'));
    expect(others).to.have.members(MONITORING);
    expect(services['grafana']?.environment).to.include({
      GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: 'true',
      GF_AUTH_ANONYMOUS_ORG_ROLE: 'Viewer',
      GF_ANALYTICS_REPORTING_ENABLED: 'false',
    });
  });

  it('reads every process of ours, and the alerts of this release', () => {
    const prometheus = parse(read('deploy/prometheus/prometheus.yml')) as {
      rule_files: string[];
      scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[];
    };
    const found = prometheus.scrape_configs.flatMap((each) => each.dns_sd_configs);
    const serving = Object.entries(services).filter(
      ([, { environment }]) => environment !== undefined && 'DOCKYARD_HEALTH_PORT' in environment,
    );
    expect(found.flatMap(({ names }) => names)).to.have.members(serving.map(([name]) => name));
    expect([...new Set(found.map(({ port }) => port))]).to.deep.equal([9090]);
    for (const path of prometheus.rule_files)
      expect(services['prometheus']?.volumes).to.include(`./deploy/prometheus/alerts.yml:${path}:ro`);
  });

  it('has one data source, which every panel of the dashboard reads', () => {
    const provisioning = 'deploy/grafana/provisioning';
    const { datasources } = parse(read(`${provisioning}/datasources/prometheus.yml`)) as {
      datasources: { uid: string; url: string }[];
    };
    const [source] = datasources;
    expect(datasources).to.have.length(1);
    expect(source?.url).to.equal('http://prometheus:9091');
    for (const { datasource, title } of graphs) expect(datasource?.uid, title).to.equal(source?.uid);
    const { providers } = parse(read(`${provisioning}/dashboards/dockyard.yml`)) as {
      providers: { options: { path: string } }[];
    };
    const mounts = services['grafana']?.volumes ?? [];
    for (const { options } of providers)
      expect(mounts).to.include(`./deploy/grafana/dashboards:${options.path}:ro`);
    for (const mount of mounts)
      expect(existsSync(join(projectRoot, mount.split(':')[0] ?? '')), mount).to.equal(true);
    expect(globSync('deploy/grafana/dashboards/*', { cwd: projectRoot })).to.have.length(1);
  });

  it('asks in each panel for metrics that there are, and shows every metric of jobs and instances', () => {
    const own = ownMetrics();
    const shown = new Set<string>();
    for (const { title, targets = [] } of graphs) {
      expect(targets, title).to.not.deep.equal([]);
      for (const name of targets.flatMap(({ expr }) => namesIn(expr))) {
        expect(isMetric(name, own), `${title} asks for ${name}`).to.equal(true);
        shown.add(name.replace(/_(count|sum|bucket)$/, ''));
      }
    }
    // What has an alert or a place of its own in the documents.
    const elsewhere =
      /^dockyard_(http_requests_in_flight|fx_|shared_limits_away|file_turns|instances$|launch_|dependency_|certificate_|disk_|mails_|topups_|tool_containment$)/;
    expect([...own].filter((name) => !shown.has(name) && !elsewhere.test(name))).to.deep.equal([]);
  });

  it('lays its panels beside each other, none over another', () => {
    expect(dashboard.editable).to.equal(false);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).to.equal(dashboard.panels.length);
    const taken = new Set<string>();
    for (const { title, gridPos } of dashboard.panels)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(x, title).to.be.below(24);
          expect(taken.has(`${String(x)}/${String(y)}`), title).to.equal(false);
          taken.add(`${String(x)}/${String(y)}`);
        }
  });
});
