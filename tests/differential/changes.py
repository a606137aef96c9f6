"""Random decks of steps whose supports begin, end and stay, whose rigid groups go elsewhere and whose equations are removed."""
import decks


class Changes(decks.Maker):
    def make(self):
        self.analysis, self.modal_only_solid, self.can_join = self.choose((2, "nlgeom"), (1, "static")), True, False
        self.large = self.analysis == "nlgeom"
        self.expands = self.hot = self.tables = False
        self.mesh()
        while self.has("wedge"):  # whose points are others in CalculiX
            self.out.clear()
            self.mesh()
        self.card("*MATERIAL, NAME=M")
        self.elastic("ISO", 1e3 if self.large else 1e4, self.u(0, 0.4))
        self.card("*SOLID SECTION, ELSET=EALL, MATERIAL=M")
        base, end = self.side(0, False), self.side(0, True)
        self.base = self.nset(base, "HOLD")
        self.card("*BOUNDARY", [self.base, 1, 3])
        self.free = [t for t in self.all if t not in base]
        self.far = 0.03 if self.large else 0.003
        self.groups(end) if self.chance(0.4) else self.equations()
        for self.step in range(1, self.r.randint(2, 4) + 1):
            length = self.r.choice([0.25, 0.5])
            self.card("*STEP, INC=1000" + ", NLGEOM" * self.large)
            self.card("*STATIC" + ", DIRECT" * self.large, [length, 1.0])
            self.supports(), self.forces()
            if self.step == 1:
                self.card("*NODE PRINT, NSET=NALL", ["U"], ["RF"])
                self.card("*EL PRINT, ELSET=EALL", ["S"])
            self.card("*END STEP")
        return "\n".join(self.out) + "\n"

    def groups(self, end):
        self.hub, self.rot = self.tags.pop(), self.tags.pop()
        x = [self.size[0] + self.u(0, 0.3)] + [self.u(0.2, 0.7) for _ in range(2)]
        self.card("*NODE", *[[t] + x for t in (self.hub, self.rot)])
        self.card(f"*RIGID BODY, NSET={self.nset(end, 'RIG')}, REF NODE={self.hub}, ROT NODE={self.rot}")
        self.free = [t for t in self.free if t not in end]
        self.goes = [k for k in (1, 2, 3) if self.chance(0.5)]
        self.turns = [k for k in (1, 2, 3) if self.chance(0.8)]
        self.joined = []

    def equations(self):
        self.hub, self.goes, self.turns, self.joined = None, [], [], []
        self.r.shuffle(self.free)
        if self.large and len(self.free) > 4 and self.chance(0.5):
            a, b, k = self.free.pop(), self.free.pop(), self.r.randint(1, 3)
            self.card("*EQUATION", [2], [a, k, 1.0, b, k, self.u(-1.5, -0.5)])
            self.joined.append([a, k])

    def supports(self):
        new, some = self.step > 1 and self.chance(0.4), self.free and self.r.choice(self.free)
        rows = [[self.base, 1, 3]] * new
        if self.step == 1 or new or self.chance(0.6):
            rows += [[self.hub, k, k, self.u(-self.far, self.far)] for k in self.goes]
            rows += [[self.rot, k, k, self.u(-3, 3) * self.far] for k in self.turns]
        if some and self.chance(0.7):
            k = self.r.randint(1, 3)
            rows.append([some, k, k, self.r.choice([0.0, self.u(-self.far, self.far)])])
        if rows:
            self.card("*BOUNDARY" + ", OP=NEW" * new, *rows)
        if self.free and self.step > 1 and self.chance(0.4):
            self.card("*BOUNDARY, FIXED", [self.r.choice(self.free), self.r.randint(1, 2), 3])
        if self.joined and self.step > 1 and self.chance(0.5):
            self.card("*EQUATION, REMOVE", self.joined.pop())

    def forces(self):
        size = 3 if self.large else 10
        if self.free and (self.step == 1 or self.chance(0.8)):
            self.card("*CLOAD" + ", OP=NEW" * (self.step > 1 and self.chance(0.3)),
                      *[[self.r.choice(self.free), self.r.randint(1, 3), self.u(-size, size)] for _ in range(2)])
        rows = [[self.hub, k, self.u(-size, size)] for k in (1, 2, 3) if self.hub and k not in self.goes]
        if rows and self.chance(0.5):
            self.card("*CLOAD", *rows)


def deck(seed):
    return Changes(seed).make()
