//! A flock's parameters by species: rules, interactions, radii, and what is refused.

use crate::schema::parameters::Parameters;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::params::species::{Interaction, InteractionKind, MAX_CHASES, MAX_SPECIES};
use crate::{ParamError, Params, Rules, Species, SpeciesId};

impl Params {
    /// Adds a species and tells its handle.
    ///
    /// ```
    /// use wingbeat_steer::{Interaction, InteractionKind, Params, Rules, Species};
    /// let mut params = Params::default();
    /// let hare = params.add_species(Species::new("hare", Rules::boids(2.0)));
    /// let fox = params.add_species(Species::new("fox", Rules::default()));
    /// params.interactions.push(Interaction::new(hare, fox, InteractionKind::Flee, 5.0));
    /// assert!(params.check().is_ok());
    /// assert_eq!(params.species_named("fox"), Ok(fox));
    /// let refusal = params.species_named("wolf").unwrap_err();
    /// assert_eq!(refusal.to_string(), "species = wolf: allowed is hare, fox");
    /// ```
    pub fn add_species(&mut self, species: Species) -> SpeciesId {
        self.species.push(species);
        SpeciesId::new(self.species.len() - 1)
    }

    /// The species of this name.
    ///
    /// # Errors
    /// Names those that there are.
    pub fn species_named(&self, name: &str) -> Result<SpeciesId, ParamError> {
        SpeciesId::named(name, self.species.iter().map(|species| &*species.name))
    }

    /// All species; in a flock without species the one that every boid is of.
    pub fn each_species(&self) -> impl DoubleEndedIterator<Item = SpeciesId> + use<> {
        (0..self.species.len().max(1)).map(SpeciesId::new)
    }

    /// Refuses a species that there is not; in a flock without species there is the first.
    ///
    /// # Errors
    /// Names it as `field`, with those that there are.
    pub fn check_species_id(
        &self,
        field: impl ToString,
        species: SpeciesId,
    ) -> Result<(), ParamError> {
        if species.get() < self.species.len().max(1) {
            return Ok(());
        }
        let allowed = match self.species.len() {
            0 => "0: every boid is of one species".into(),
            kinds => format!("0 to {}", kinds - 1),
        };
        Err(ParamError::new(field, species, allowed))
    }

    /// What a species is; `None` in a flock without species.
    pub fn kind(&self, species: SpeciesId) -> Option<&Species> {
        self.species.get(species.get())
    }

    /// The names of the species, in their order.
    pub fn species_names(&self) -> Vec<String> {
        self.species.iter().map(|species| species.name.clone()).collect()
    }

    /// The rules of a species; the flock's own where it has none.
    pub fn rules_of(&self, species: SpeciesId) -> &Rules {
        self.kind(species).map_or(&self.rules, |species| &species.rules)
    }

    /// Whether the rules of `species` count boids of species `other` as neighbors.
    pub fn flocks_with(&self, own: SpeciesId, other: SpeciesId) -> bool {
        let told = self
            .interactions
            .iter()
            .find(|i| i.species == own && i.other == other && !i.kind.chases());
        told.map_or(own == other && !self.chases(own, other), |told| {
            told.kind == InteractionKind::Flock
        })
    }

    /// Every radius that species look within, with its name.
    pub fn radii_of_species(&self) -> Vec<(String, f32)> {
        let mut radii = Vec::new();
        for species in &self.species {
            radii.extend(species.rules.iter().map(|rule| {
                let name = format!("species.{}.{}.radius", species.name, rule.name());
                (name, rule.perception.radius)
            }));
        }
        for interaction in self.interactions.iter().filter(|interaction| interaction.kind.chases())
        {
            let (own, other) = self.names_of(interaction);
            radii.push((format!("interaction.{own}.{other}.radius"), interaction.radius));
        }
        radii
    }

    /// Whether `species` flees, pursues or evades `other`.
    fn names_of(&self, interaction: &Interaction) -> (&str, &str) {
        let name = |species: SpeciesId| &*self.species[species.get()].name;
        (name(interaction.species), name(interaction.other))
    }

    fn chases(&self, own: SpeciesId, other: SpeciesId) -> bool {
        self.chases_of(own).any(|chase| chase.other == other)
    }

    /// The interactions in which a species flees, pursues or evades, as declared.
    pub fn chases_of(&self, own: SpeciesId) -> impl Iterator<Item = &Interaction> {
        self.interactions
            .iter()
            .filter(move |interaction| interaction.species == own && interaction.kind.chases())
    }

    pub(crate) fn check_species(&self) -> Result<(), ParamError> {
        if self.species.len() > MAX_SPECIES {
            return Err(ParamError::new(
                "species",
                self.species.len(),
                format!("at most {MAX_SPECIES}"),
            ));
        }
        if self.species.is_empty() && !self.interactions.is_empty() {
            return Err(ParamError::new(
                "interaction",
                self.interactions.len(),
                "none without species",
            ));
        }
        if self.species.is_empty() {
            return Ok(());
        }
        self.check_own_rules_absent()?;
        for (place, species) in self.species.iter().enumerate() {
            if self.species_named(&species.name)?.get() != place {
                return Err(ParamError::new("species", &species.name, "each name once"));
            }
            species.check()?;
        }
        self.check_interactions()
    }

    fn check_interactions(&self) -> Result<(), ParamError> {
        for (place, interaction) in self.interactions.iter().enumerate() {
            for (end, species) in [("species", interaction.species), ("other", interaction.other)] {
                self.check_species_id(format_args!("interaction[{place}].{end}"), species)?;
            }
            let (own, other) = self.names_of(interaction);
            let named = |key: &str| format!("interaction.{own}.{other}.{key}");
            interaction.check_ranges(format_args!("interaction.{own}.{other}"))?;
            if interaction.capture_radius > 0.0 && interaction.kind != InteractionKind::Pursue {
                return Err(ParamError::new(
                    named("capture_radius"),
                    interaction.capture_radius,
                    "0 unless kind is pursue",
                ));
            }
            if self.interactions[..place]
                .iter()
                .any(|i| (i.species, i.other) == (interaction.species, interaction.other))
            {
                return Err(ParamError::new(
                    format!("interaction.{own}.{other}"),
                    "given twice",
                    "once",
                ));
            }
        }
        for (own, species) in self.each_species().zip(&self.species) {
            let chases = self.chases_of(own).count();
            if chases > MAX_CHASES {
                let allowed = format!("at most {MAX_CHASES} that flee, pursue or evade");
                return Err(ParamError::new(
                    format!("interaction.{}", species.name),
                    chases,
                    allowed,
                ));
            }
        }
        Ok(())
    }
}
